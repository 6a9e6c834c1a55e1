"""A Triton kernel whose output is transposed and copied gives the output untransposed.

cause: unsound fusion
issue: pytorch/pytorch#184247
avoid: Transpose what the kernel gets.
needs: cuda
"""

import torch
import triton
import triton.language as tl

settings = {"torch._inductor.config.epilogue_fusion_user_defined_triton_kernel": True}


@triton.jit
def double(a, b, n: tl.constexpr):
    k = tl.arange(0, n)
    tl.store(b + k, tl.load(a + k) * 2)


def inputs():
    return (torch.arange(64.0, device="cuda").view(8, 8),)


def call(x):
    y = torch.empty_like(x)
    double[(1,)](x, y, 64)
    return y.t().contiguous()


def instead(x):
    y = torch.empty_like(x)
    double[(1,)](x.t().contiguous(), y, 64)
    return y
