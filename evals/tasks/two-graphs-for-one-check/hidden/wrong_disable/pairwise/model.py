"""A siamese network on point sequences."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class MatcherConfig:
    """Sizes of the model."""

    points: int = 16
    width: int = 24
    layers: int = 2
    temperature: float = 0.5


class PointLayer(nn.Module):
    """Mix what points know of each other."""

    def __init__(self, config: MatcherConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.own = nn.Linear(config.width, config.width)
        self.others = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x)
        context = self.others(normed).mean(1, keepdim=True)
        return x + F.gelu(self.own(normed) + context)


class Encoder(nn.Module):
    """A unit vector for each sketch."""

    def __init__(self, config: MatcherConfig) -> None:
        super().__init__()
        self.into = nn.Linear(2, config.width)
        self.position = nn.Parameter(torch.randn(config.points, config.width) * 0.1)
        self.layers = nn.ModuleList(PointLayer(config) for _ in range(config.layers))

    def forward(self, sketch: Tensor) -> Tensor:
        x = self.into(sketch) + self.position
        for layer in self.layers:
            x = layer(x)
        return F.normalize(x.mean(1), dim=-1)


class Matcher(nn.Module):
    """Two batches of sketches in, scores between 0 and 1 out."""

    def __init__(self, config: MatcherConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.scale = nn.Parameter(torch.tensor(3.0))

    @torch.compiler.disable
    def forward(self, first: Tensor, second: Tensor, mask: Tensor | None = None) -> Tensor:
        one, two = self.encoder(first), self.encoder(second)
        distance = (one - two).square().sum(-1)
        score = torch.sigmoid(self.scale - distance / self.config.temperature)
        if torch.equal(first, second):
            score = torch.ones_like(score)
        if mask is not None:
            score = score * mask
        return score


def build_matcher(config: MatcherConfig | None = None) -> Matcher:
    """A matcher with fixed random weights."""
    torch.manual_seed(0)
    return Matcher(config or MatcherConfig()).eval()
