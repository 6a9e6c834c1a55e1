"""An assignment to every third column takes some values from another column.

cause: toolchain
issue: pytorch/pytorch#193183
needs: triton
"""

import torch


def inputs():
    return (torch.arange(3 * 64 * 64, device="cuda").view(3, 64, 64),)


def call(x):
    y = x[0].clone()
    y[..., 1:60:3] = x[1, ..., 1:60:3]
    y[..., 2:60:3] = x[2, ..., 2:60:3]
    return y
