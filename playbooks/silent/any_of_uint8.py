"""`any` of a uint8 tensor over a dimension is a bool tensor, where eager mode gives uint8.

cause: type promotion
issue: pytorch/pytorch#198081
avoid: Compare with zero first, and convert the result to uint8.
"""

import torch


def inputs():
    return (torch.tensor([[0, 2], [0, 0]], dtype=torch.uint8),)


def call(x):
    return torch.any(x, -1)


def instead(x):
    return (x != 0).any(-1).to(torch.uint8)
