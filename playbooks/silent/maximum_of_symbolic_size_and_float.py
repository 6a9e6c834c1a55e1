"""`max` of a symbolic size and a float is a float also where the size is the larger.

cause: symbolic sizes
avoid: Compare, and choose with an `if`.
"""

import torch

compile = {"dynamic": True}


def inputs():
    return (torch.ones(12, dtype=torch.int32),)


def call(x):
    return x * max(x.shape[0], 7.5)


def instead(x):
    n = x.shape[0]
    return x * n if n > 7.5 else x * 7.5
