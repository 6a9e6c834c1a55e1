"""Known events and new ones, as recall.py makes them."""

import torch

from pagekeep import build_scorer


def example():
    generator = torch.Generator().manual_seed(5)
    calls = []
    for _ in range(2):
        known = torch.randn(6, 12, generator=generator)
        calls.append((known, known[:3] + 0.1 * torch.randn(3, 12, generator=generator)))
    return build_scorer().requires_grad_(False), calls
