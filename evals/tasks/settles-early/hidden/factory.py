"""Markets that settle after different numbers of rounds, and one that does not."""

import torch

from tatonne import build_market


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(scale * torch.randn(4, 6, generator=generator),) for scale in (1.0, 0.1, 5.0)]
    return build_market().requires_grad_(False), calls
