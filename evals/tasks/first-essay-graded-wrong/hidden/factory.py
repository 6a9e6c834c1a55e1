"""Essays of several lengths, the usual one first."""

import torch

from essay import build_essay


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.randn(2, it, 10, generator=generator) + 1,) for it in (4, 9, 13, 6)]
    return build_essay().requires_grad_(False), calls
