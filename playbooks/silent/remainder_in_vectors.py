"""`remainder` by infinity is NaN in a tensor of eight or more elements.

cause: code generation
issue: pytorch/pytorch#198057
avoid: Use `fmod`, and correct its sign.
"""

import torch


def inputs():
    return torch.full((16,), 5.5), torch.full((16,), float("inf"))


def call(x, y):
    return torch.remainder(x, y)


def instead(x, y):
    z = torch.fmod(x, y)
    return torch.where((z != 0) & (z.sign() != y.sign()), z + y, z)
