"""Requests with different numbers of rounds."""

import torch

from plumb import build_plumb


def example():
    depth = torch.rand(2, 1, 8, 8, generator=torch.Generator().manual_seed(5))
    return build_plumb().requires_grad_(False), [(depth, rounds) for rounds in (2, 5, 3, 6)]
