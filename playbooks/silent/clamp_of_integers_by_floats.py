"""`clamp` of integers by floats returns integers, cut at the bound's whole part.

cause: type promotion
issue: pytorch/pytorch#151744
fixed: pytorch/pytorch#154471
avoid: Convert the tensor to float first.
"""

import torch


def inputs():
    return (torch.tensor([-3, 0, 3]),)


def call(x):
    return torch.clamp(x, -0.5, 0.5)


def instead(x):
    return torch.clamp(x.float(), -0.5, 0.5)
