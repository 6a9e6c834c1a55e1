"""Attention by hand, whose key is permuted in one step, becomes a fused one that reads it wrongly.

cause: unsound fusion
issue: pytorch/pytorch#195320
fixed: pytorch/pytorch#195383
avoid: Transpose the key in two steps.
"""

import torch


def inputs():
    return tuple(torch.arange(1.0, 65.0).view(1, 4, 4, 4).mul(k).sin() for k in (1, 2, 3))


def call(q, k, v):
    q, k, v = q.transpose(1, 2), k.permute(0, 2, 3, 1), v.transpose(1, 2)
    return (q @ k).mul(0.5).softmax(-1) @ v


def instead(q, k, v):
    q, k, v = q.transpose(1, 2), k.transpose(1, 2).transpose(-2, -1), v.transpose(1, 2)
    return (q @ k).mul(0.5).softmax(-1) @ v
