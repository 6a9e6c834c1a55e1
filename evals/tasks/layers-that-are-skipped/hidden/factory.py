"""Four choices of layers."""

import torch

from elastic import build_elastic


def example():
    features = torch.randn(6, 12, generator=torch.Generator().manual_seed(5))
    choices = ([1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0])
    calls = [(features, torch.tensor(it, dtype=torch.bool)) for it in choices]
    return build_elastic().requires_grad_(False), calls
