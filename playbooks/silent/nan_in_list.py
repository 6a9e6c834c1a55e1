"""`n in [n]` is false where `n` is NaN, though the list holds the same object.

cause: unfaithful tracing
fixed: pytorch/pytorch#184606
"""

import torch

n = float("nan")


def inputs():
    return (torch.ones(2),)


def call(x):
    return x + 1 if n in [n] else x - 1
