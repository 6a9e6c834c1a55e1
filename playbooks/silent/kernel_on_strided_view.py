"""A Triton kernel that changes a view of an intermediate result reads wrong rows.

cause: aliasing and mutation
issue: pytorch/pytorch#161115
avoid: Make the view contiguous before the kernel changes it.
needs: cuda
"""

import torch
import triton
import triton.language as tl


@triton.jit
def negate(a, stride, n: tl.constexpr):
    place = a + tl.program_id(0) * stride + tl.arange(0, n)
    tl.store(place, -tl.load(place))


def inputs():
    return (torch.arange(32.0, device="cuda").view(4, 8),)


def call(x):
    y = (x + 1)[:, :4]
    negate[(4,)](y, y.stride(0), 4)
    return y * 2


def instead(x):
    y = (x + 1)[:, :4].contiguous()
    negate[(4,)](y, y.stride(0), 4)
    return y * 2
