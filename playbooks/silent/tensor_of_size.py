"""`torch.Tensor(x.size())` returns the sizes as numbers, not a tensor of that shape.

cause: unfaithful tracing
issue: pytorch/pytorch#196467
avoid: Use `torch.empty`.
"""

import torch


def inputs():
    return (torch.ones(1, 4),)


def call(x):
    return torch.Tensor(x.size()).zero_()


def instead(x):
    return torch.empty(x.size()).zero_()
