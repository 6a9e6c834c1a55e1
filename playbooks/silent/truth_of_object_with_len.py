"""An `if` on an object with `__len__` keeps its first answer for other objects.

cause: stale reuse
avoid: Compare the length with zero.
"""

import torch


class Batch:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


def inputs():
    return [(torch.ones(2), Batch(0)), (torch.ones(2), Batch(1))]


def call(x, batch):
    return x * 2 if batch else x * 3


def instead(x, batch):
    return x * 2 if batch.n > 0 else x * 3
