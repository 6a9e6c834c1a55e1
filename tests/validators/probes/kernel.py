"""A Triton kernel: Triton reads its source, so it stands in a file."""

from __future__ import annotations

import triton
import triton.language as tl

SIGNATURE = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}


@triton.jit
def add_one(x, y, n, BLOCK: tl.constexpr):
    """Write x + 1 to y, both of n elements."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
