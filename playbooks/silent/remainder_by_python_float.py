"""`remainder` of a bfloat16 tensor by a Python number does not round the number.

cause: type promotion
issue: pytorch/pytorch#186875
avoid: Write the number as bfloat16 rounds it.
"""

import torch


def inputs():
    return (torch.tensor([1.703125, -1.703125], dtype=torch.bfloat16),)


def call(x):
    return torch.remainder(x, 1.7)


def instead(x):
    return torch.remainder(x, 1.703125)
