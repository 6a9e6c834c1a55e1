"""Photos of both kinds."""

import torch

from meterman import build_meter


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.rand(2, channels, 8, 8, generator=generator),) for channels in (3, 1)]
    return build_meter().requires_grad_(False), calls
