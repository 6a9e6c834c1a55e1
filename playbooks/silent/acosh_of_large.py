"""`acosh` of a large number is infinite.

cause: code generation
issue: pytorch/pytorch#183768
avoid: Add the logarithm of 2 to the logarithm of the number.
"""

import torch


def inputs():
    return (torch.full((32,), 1e30),)


def call(x):
    return torch.acosh(x)


def instead(x):
    return torch.log(x) + 0.6931471805599453
