"""An iterator that `list` has used up yields its elements again.

cause: unfaithful tracing
issue: pytorch/pytorch#152262
avoid: Keep the list, and slice it.
"""

import torch


def inputs():
    return (torch.zeros(2),)


def call(x):
    it = iter([1, 2, 3])
    n = len(list(it))
    return x + n + next(it, 0)


def instead(x):
    return x + len([1, 2, 3])
