"""A regression with clipped activations."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class SturdyConfig:
    """Sizes of the model."""

    features: int = 10
    width: int = 32
    layers: int = 3
    outputs: int = 2
    slope: float = 0.01


class ClippedLayer(nn.Module):
    """A linear layer whose activations are clipped."""

    def __init__(self, config: SturdyConfig) -> None:
        super().__init__()
        self.slope = config.slope
        self.norm = nn.LayerNorm(config.width)
        self.linear = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor, bound: float) -> Tensor:
        hidden = self.linear(self.norm(x)).clamp(max=bound)
        return x + F.leaky_relu(hidden, self.slope)


class Standardize(nn.Module):
    """Subtract the mean and divide by the spread of the training data."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("spread", torch.ones(features))

    def forward(self, x: Tensor) -> Tensor:
        return (x - self.mean) / self.spread


class Sturdy(nn.Module):
    """Features in, outputs out; a smaller bound trusts single activations less."""

    def __init__(self, config: SturdyConfig) -> None:
        super().__init__()
        self.config = config
        self.standardize = Standardize(config.features)
        self.into = nn.Linear(config.features, config.width)
        self.layers = nn.ModuleList(ClippedLayer(config) for _ in range(config.layers))
        self.out = nn.Linear(config.width, config.outputs)

    def forward(self, features: Tensor, bound: Tensor) -> Tensor:
        x = self.into(self.standardize(features))
        if self.config.layers == 0:
            return self.out(x)
        for layer in self.layers:
            x = layer(x, bound)
        return self.out(x)


def build_sturdy(config: SturdyConfig | None = None) -> Sturdy:
    """A regression with fixed random weights."""
    torch.manual_seed(0)
    return Sturdy(config or SturdyConfig()).eval()
