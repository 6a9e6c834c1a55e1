"""`sin(atan(x))` of NaN is one.

cause: toolchain
issue: pytorch/pytorch#143978
fixed: pytorch/pytorch#186018
avoid: Compute `x / sqrt(1 + x * x)`.
"""

import torch


def inputs():
    return (torch.tensor([float("nan"), 1.0]),)


def call(x):
    return torch.sin(torch.atan(x))


def instead(x):
    return x / torch.sqrt(1 + x * x)
