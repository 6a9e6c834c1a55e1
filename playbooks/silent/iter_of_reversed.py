"""`iter` of a partly consumed `reversed` iterator starts again.

cause: unfaithful tracing
issue: pytorch/pytorch#196211
avoid: Slice the list backwards.
"""

import torch


def inputs():
    return (torch.ones(2),)


def call(x):
    r = reversed([1, 2, 3])
    next(r)
    return x * list(iter(r))[0]


def instead(x):
    return x * [1, 2, 3][::-1][1:][0]
