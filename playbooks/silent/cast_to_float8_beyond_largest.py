"""A cast to float8 gives the largest number in place of NaN for a value beyond it.

cause: code generation
issue: pytorch/ao#1912
fixed: pytorch/pytorch#178817
avoid: Cast in a function under `torch.compiler.disable`.
needs: cuda
"""

import torch


def inputs():
    return (torch.tensor([1.0, 500.0, -10000.0], device="cuda"),)


def call(x):
    return x.to(torch.float8_e4m3fn).float()


@torch.compiler.disable
def cast(x):
    return x.to(torch.float8_e4m3fn)


def instead(x):
    return cast(x).float()
