"""`ldexp` returns the dtype of its first argument and ignores the second's.

cause: type promotion
issue: pytorch/pytorch#197091
avoid: Multiply by `2 ** y`.
"""

import torch


def inputs():
    return torch.ones(4, dtype=torch.float16), torch.ones(4)


def call(x, y):
    return torch.ldexp(x, y)


def instead(x, y):
    return x * 2**y
