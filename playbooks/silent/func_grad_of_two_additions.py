"""`torch.func.grad` drops one of two in-place additions to one column.

cause: aliasing and mutation
issue: pytorch/pytorch#136662
"""

import torch


def inputs():
    return (torch.tensor([[1.0, 2.0, -3.0], [4.0, 5.0, 6.0]]),)


def total(x):
    y = torch.zeros_like(x)
    y[:, 0] += x[:, 2].abs()
    y[:, 0] += x[:, 2].abs()
    return y.sum()


def call(x):
    return torch.func.grad(total)(x)
