"""Batches with and without broken readings, and one with a large, but finite reading."""

import torch

from kiln import build_kiln


def example():
    generator = torch.Generator().manual_seed(5)
    batches = [torch.randn(5, 8, generator=generator) * 30 for _ in range(4)]
    batches[1][1, 3], batches[1][0, 0] = float("nan"), 90.0
    batches[2][4, 0] = float("-inf")
    batches[3][2, 2] = 80.0
    return build_kiln().requires_grad_(False), [(it,) for it in batches]
