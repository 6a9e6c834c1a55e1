"""`slice_scatter` of an input that is zeroed later returns zeros.

cause: aliasing and mutation
issue: pytorch/pytorch#198094
avoid: Clone, and assign the slice.
"""

import torch


def inputs():
    return torch.arange(6.0), torch.ones(2)


def call(x, y):
    z = torch.slice_scatter(x, y, 0, 1, 3)
    x.zero_()
    return z


def instead(x, y):
    z = torch.cat([x[:1], y, x[3:]])
    x.zero_()
    return z
