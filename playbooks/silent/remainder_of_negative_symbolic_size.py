"""A comparison of `-n % 4` with zero, where `n` is a symbolic size, is taken as always true.

cause: symbolic sizes
issue: pytorch/pytorch#169602
avoid: Compare with `(4 - n % 4) % 4`.
"""

import torch

compile = {"dynamic": True}


def inputs():
    return (torch.ones(10),)


def call(x):
    return x * 2 if (-x.shape[0]) % 4 <= 0 else x * 3


def instead(x):
    return x * 2 if (4 - x.shape[0] % 4) % 4 <= 0 else x * 3
