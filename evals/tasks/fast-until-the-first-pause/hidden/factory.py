"""Blocks with and without speech, as stream.py makes them."""

import torch

from hush import build_hush


def example():
    generator = torch.Generator().manual_seed(5)
    blocks = [torch.randn(4, 160, generator=generator) for _ in range(4)]
    calls = [(it, it.abs() > 0.5) for it in blocks]
    calls.insert(2, (blocks[0], None))
    return build_hush(), calls
