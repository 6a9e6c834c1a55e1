"""`norm` over a last dimension of size 1 keeps that dimension.

cause: decomposition
issue: pytorch/pytorch#182181
fixed: pytorch/pytorch#182405
avoid: Give the dimension as a number from zero.
"""

import torch


def inputs():
    return (torch.rand(4, 3, 1),)


def call(x):
    return x.norm(dim=-1)


def instead(x):
    return x.norm(dim=2)
