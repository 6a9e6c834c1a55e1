"""A right shift by 64 returns the number unchanged.

cause: code generation
issue: pytorch/pytorch#143555
avoid: Clamp the shift to 63.
"""

import torch


def inputs():
    return torch.full((64,), 1000), torch.full((64,), 64)


def call(x, n):
    return torch.bitwise_right_shift(x, n)


def instead(x, n):
    return torch.bitwise_right_shift(x, n.clamp(max=63))
