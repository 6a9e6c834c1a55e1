"""`x.data = y` makes `x` an alias of `y`, whose later `data` then shows in `x`.

cause: aliasing and mutation
issue: pytorch/pytorch#113030
"""

import torch


def inputs():
    return torch.arange(6.0), torch.ones(6)


def call(x, y):
    x.data = y
    y.data = torch.zeros(0)
    return x * 2
