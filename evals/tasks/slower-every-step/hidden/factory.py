"""The calls of forecast.py, more than the limit on recompiles, and one with a calendar."""

import torch

from tideline import build_forecaster


def example():
    generator = torch.Generator().manual_seed(7)
    calls = [(torch.randn(6, 96, 4, generator=generator),) for _ in range(12)]
    return build_forecaster(), calls
