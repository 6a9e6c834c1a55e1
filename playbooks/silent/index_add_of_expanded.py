"""`index_add` on an expanded tensor writes all rows into one.

cause: aliasing and mutation
issue: pytorch/pytorch#183986
fixed: pytorch/pytorch#184488
avoid: Clone the expanded tensor.
"""

import torch


def inputs():
    return torch.ones(3, 8), torch.tensor([0, 1, 0])


def call(y, i):
    return torch.zeros(1, 8).expand(4, -1).index_add(0, i, y)


def instead(y, i):
    return torch.zeros(4, 8).index_add(0, i, y)
