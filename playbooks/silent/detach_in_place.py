"""`detach_` leaves `requires_grad` True.

cause: unfaithful tracing
issue: pytorch/pytorch#176854
avoid: Use `detach`.
"""

import torch


def inputs():
    return (torch.ones(2, requires_grad=True),)


def call(x):
    y = x * 2
    y.detach_()
    return y + 1, y.requires_grad


def instead(x):
    y = (x * 2).detach()
    return y + 1, y.requires_grad
