"""`arange` times a large number is computed in 32 bits and overflows.

cause: code generation
issue: pytorch/pytorch#175966, pytorch/pytorch#183901
avoid: Make the range in a function under `torch.compiler.disable`.
needs: triton
"""

import torch


def inputs():
    return (torch.zeros(8, dtype=torch.int64, device="cuda"),)


def call(x):
    return x + torch.arange(8, device=x.device) * 1_000_000_000


@torch.compiler.disable
def numbers(x):
    return torch.arange(8, device=x.device)


def instead(x):
    return x + numbers(x) * 1_000_000_000
