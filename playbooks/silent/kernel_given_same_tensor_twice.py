"""A Triton kernel that gets one tensor as two arguments writes each into a copy of its own.

cause: aliasing and mutation
issue: pytorch/pytorch#196657
avoid: Launch the kernel in a function under `torch.compiler.disable`.
needs: cuda
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_and_scale(a, b, n: tl.constexpr):
    k = tl.arange(0, n)
    tl.store(a + k, tl.load(a + k) + 1)
    tl.store(b + k, tl.load(b + k) * 10)


def inputs():
    return (torch.arange(8.0, device="cuda"),)


def call(x):
    y = x.clone()
    add_and_scale[(1,)](y, y, 8)
    return y


@torch.compiler.disable
def launch(y):
    add_and_scale[(1,)](y, y, 8)
    return y


def instead(x):
    return launch(x.clone())
