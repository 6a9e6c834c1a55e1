"""`x[1:] = x[:-1].clone()` after `index_add_` into `x` copies elements already overwritten.

cause: unsound fusion
issue: pytorch/pytorch#198270
avoid: Build the shifted tensor with `cat`.
"""

import torch


def inputs():
    return torch.arange(1.0, 9.0), torch.tensor([0, 3]), torch.ones(2)


def call(x, index, y):
    x.index_add_(0, index, y)
    x[1:] = x[:-1].clone()
    return x * 1


def instead(x, index, y):
    z = x.index_add(0, index, y)
    x.copy_(torch.cat([z[:1], z[:-1]]))
    return x * 1
