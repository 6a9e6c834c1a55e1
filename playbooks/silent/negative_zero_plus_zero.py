"""`x + 0` returns x, so minus zero does not become plus zero.

cause: unsound fusion
issue: pytorch/pytorch#189799
avoid: Take the absolute value where x is zero.
"""

import torch


def inputs():
    return (torch.tensor([-0.5, -0.1, 0.5]),)


def call(x):
    y = torch.ceil(x)
    return 1 / (y + torch.zeros_like(y))


def instead(x):
    y = torch.ceil(x)
    return 1 / torch.where(y == 0, y.abs(), y)
