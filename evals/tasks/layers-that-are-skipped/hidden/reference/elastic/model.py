"""A classifier of which layers can be left out."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class ElasticConfig:
    """Sizes of the model."""

    features: int = 12
    width: int = 24
    layers: int = 4
    classes: int = 3


class Layer(nn.Module):
    """A feed-forward layer that replaces its input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return 0.7 * x + self.down(F.gelu(self.up(self.norm(x))))


class Stem(nn.Module):
    """Features to the width of the layers."""

    def __init__(self, config: ElasticConfig) -> None:
        super().__init__()
        self.linear = nn.Linear(config.features, config.width)
        self.bias = nn.Parameter(torch.zeros(config.width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(self.linear(x)) + self.bias.expand(x.shape[0], -1)


class Elastic(nn.Module):
    """Features and the layers to keep in, class scores out."""

    def __init__(self, config: ElasticConfig) -> None:
        super().__init__()
        self.stem = Stem(config)
        self.layers = nn.ModuleList(Layer(config.width) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.out = nn.Linear(config.width, config.classes)

    def forward(self, features: Tensor, keep: Tensor | None = None) -> Tensor:
        x = self.stem(features)
        if keep is None:
            keep = torch.ones(len(self.layers), dtype=torch.bool, device=x.device)
        for index, layer in enumerate(self.layers):
            x = torch.where(keep[index], layer(x), x)
        return self.out(self.norm(x))


def build_elastic(config: ElasticConfig | None = None) -> Elastic:
    """A classifier with fixed random weights."""
    torch.manual_seed(0)
    return Elastic(config or ElasticConfig()).eval()
