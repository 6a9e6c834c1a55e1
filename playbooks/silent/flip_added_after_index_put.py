"""`x.add_(x.flip(0))` after an indexed assignment to `x` reads elements that it has changed.

cause: unsound fusion
issue: pytorch/pytorch#198270
"""

import torch


def inputs():
    return (torch.arange(1.0, 33.0).reshape(4, 8),)


def call(x):
    x[torch.arange(4)] = x * 2
    x.add_(x.flip(0))
    return x * 1
