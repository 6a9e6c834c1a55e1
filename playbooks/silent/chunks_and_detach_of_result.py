"""Slices of a result that is also returned detached lose their gradient.

cause: aliasing and mutation
issue: pytorch/pytorch#194479
avoid: Return `y.clone().detach()` instead of `y.detach()`.
"""

import torch


def inputs():
    return (torch.arange(8.0, requires_grad=True),)


def call(x):
    y = torch.sin(x)
    return y[:4], y[4:], y.detach()


def instead(x):
    y = torch.sin(x)
    return y[:4], y[4:], y.clone().detach()
