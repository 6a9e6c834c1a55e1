"""A Triton kernel that gets a view and writes past its end leaves the rest of the tensor unchanged.

cause: aliasing and mutation
issue: pytorch/pytorch#192510
avoid: Give the kernel the whole tensor.
needs: cuda
"""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(a, n: tl.constexpr):
    tl.store(a + tl.arange(0, n), 1.0)


def inputs():
    return (torch.zeros(64, device="cuda"),)


def call(x):
    y = x + 2
    fill[(1,)](y[:32], 64)
    return y


def instead(x):
    y = x + 2
    fill[(1,)](y, 64)
    return y
