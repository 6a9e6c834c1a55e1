"""`==` of a bfloat16 tensor with a Python number compares without rounding the number.

cause: type promotion
issue: pytorch/pytorch#173987
fixed: pytorch/pytorch#175807
avoid: Make the number a bfloat16 tensor first.
"""

import torch


def inputs():
    return (torch.tensor([3.14, 1.0], dtype=torch.bfloat16),)


def call(x):
    return x == 3.14


def instead(x):
    return x == torch.tensor(3.14, dtype=torch.bfloat16).float()
