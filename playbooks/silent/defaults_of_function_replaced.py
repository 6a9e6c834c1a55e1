"""A default argument changed through `__defaults__` keeps its first value.

cause: stale reuse
issue: pytorch/pytorch#178365
fixed: pytorch/pytorch#178420
avoid: Pass the value as an argument.
"""

import torch


def scale(x, factor=1):
    return x * factor


@torch._dynamo.disable
def set_factor(n):
    scale.__defaults__ = (n,)


def inputs():
    return [(torch.ones(2), 2), (torch.ones(2), 5)]


def call(x, n):
    set_factor(n)
    return scale(x)


def instead(x, n):
    set_factor(n)
    return scale(x, n)
