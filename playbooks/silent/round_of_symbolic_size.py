"""`round` of a symbolic size to tens returns the size unchanged.

cause: symbolic sizes
issue: pytorch/pytorch#198064
avoid: Round by integer division.
"""

import torch

compile = {"dynamic": True}


def inputs():
    return (torch.ones(17),)


def call(x):
    return x * round(x.shape[0], -1)


def instead(x):
    return x * ((x.shape[0] + 5) // 10 * 10)
