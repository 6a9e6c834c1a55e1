"""Functions that differ only in a default argument share the first one's compiled code.

cause: stale reuse
issue: pytorch/pytorch#178365
fixed: pytorch/pytorch#178420
avoid: Pass the value as an argument.
"""

import torch


def make(n):
    def add(x, n=n):
        return x + n

    return add


def inputs():
    return [(torch.zeros(3), make(n), n) for n in (1, 2)]


def call(x, f, n):
    return f(x)


def instead(x, f, n):
    return f(x, n)
