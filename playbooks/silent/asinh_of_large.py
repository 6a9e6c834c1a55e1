"""`asinh` of a large number is infinite.

cause: code generation
issue: pytorch/pytorch#183767
fixed: pytorch/pytorch#184105
avoid: Take `asinh` of the absolute value as a logarithm, and restore the sign.
"""

import torch


def inputs():
    return (torch.tensor([-1e30, 1e30] * 16),)


def call(x):
    return torch.asinh(x)


def instead(x):
    return torch.sign(x) * (torch.log(torch.abs(x)) + 0.6931471805599453)
