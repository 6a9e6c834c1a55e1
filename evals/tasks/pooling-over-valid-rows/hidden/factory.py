"""Batches of three tables, one without a valid row."""

import torch

from tabvec import build_encoder


def example():
    generator = torch.Generator().manual_seed(5)
    calls = []
    for share in (0.4, 0.6):
        tables = torch.randn(3, 10, 6, generator=generator)
        calls.append((tables, torch.rand(3, 10, generator=generator) > share))
    calls[1][1][2] = False
    return build_encoder().requires_grad_(False), calls
