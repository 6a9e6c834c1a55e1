"""`index_put` into an expanded tensor changes all the rows that share the memory.

cause: aliasing and mutation
issue: pytorch/pytorch#188084
avoid: Make the expanded tensor contiguous first.
"""

import torch


def inputs():
    return torch.ones(3), torch.tensor([0, 1])


def call(x, index):
    y = (x * 2).expand(2, 3)
    return torch.index_put(y, (index, index), torch.zeros(2))


def instead(x, index):
    y = (x * 2).repeat(2, 1)
    return torch.index_put(y, (index, index), torch.zeros(2))
