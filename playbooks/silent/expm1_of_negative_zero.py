"""`expm1` of minus zero is plus zero, so that its reciprocal has the wrong sign.

cause: code generation
avoid: Keep the sign by `torch.where`.
"""

import torch


def inputs():
    return (torch.full((32,), -0.0),)


def call(x):
    return 1 / torch.expm1(x)


def instead(x):
    return 1 / torch.where(x == 0, x, torch.expm1(x))
