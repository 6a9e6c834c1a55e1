"""Comparing a set with a set subclass calls `__iter__` of the subclass, as `set` never does.

cause: unfaithful tracing
issue: pytorch/pytorch#186671
"""

import torch


class Loud(set):
    def __iter__(self):
        return iter([99])


def inputs():
    return torch.ones(3), {1, 2}, Loud({1, 2})


def call(x, a, b):
    return x + 1 if a == b else x - 1
