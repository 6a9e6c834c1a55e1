"""Pairs of sketches, one of which is twice the same."""

import torch

from pairwise import build_matcher


def example():
    generator = torch.Generator().manual_seed(5)
    one, two = (torch.randn(3, 16, 2, generator=generator) for _ in range(2))
    return build_matcher().requires_grad_(False), [(one, two), (one, one.clone()), (two, one)]
