"""Windows as scan_windows.py makes them."""

import torch

from drift import build_drift


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.randn(4, 96, 6, generator=generator).cumsum(1) / 8,) for _ in range(2)]
    return build_drift().requires_grad_(False), calls
