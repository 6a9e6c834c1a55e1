"""Frames with a steady hum, as listen.py feeds them."""

import torch

from hush import build_hush


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(1.0 + 0.1 * torch.randn(3, 10, generator=generator),) for _ in range(4)]
    return build_hush().requires_grad_(False), calls
