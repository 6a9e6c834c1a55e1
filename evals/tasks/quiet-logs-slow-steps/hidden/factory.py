"""Three batches of one shape."""

import torch

from sentry_net import build_detector


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.randn(6, 20, generator=generator),) for _ in range(3)]
    return build_detector().requires_grad_(False), calls
