"""`cumsum` of ones ignores its `dtype` argument.

cause: unsound fusion
issue: pytorch/pytorch#189518
avoid: Create the ones with the wanted dtype.
"""

import torch


def inputs():
    return (torch.ones(3),)


def call(x):
    return torch.ones(4, dtype=torch.bool).cumsum(0, dtype=torch.float32), x + 1


def instead(x):
    return torch.ones(4).cumsum(0), x + 1
