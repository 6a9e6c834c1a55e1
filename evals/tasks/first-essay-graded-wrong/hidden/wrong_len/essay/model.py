"""Grades essays: sentences in, a grade out; later sentences count more."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class EssayConfig:
    """Sizes of the model; `usual` is the number of sentences that most essays have."""

    features: int = 10
    width: int = 20
    layers: int = 2
    usual: int = 4


def ramp(length: int, device: torch.device | None = None) -> Tensor:
    """Weights that grow along an essay."""
    return 0.5 + torch.arange(length, device=device) / (length - 1)


class Block(nn.Module):
    """A residual block over sentences."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.gelu(self.up(self.norm(x))))


class WeightedMean(nn.Module):
    """The mean over sentences, weighted; the weights are remade only for another length."""

    def __init__(self, config: EssayConfig) -> None:
        super().__init__()
        self.register_buffer("weights", ramp(config.usual), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        length = x.shape[1]
        if length != self.weights.shape[0]:
            self.weights.data = ramp(length, x.device)
        total = (x * self.weights[:, None]).sum(1)
        return total / len(self.weights)


class Essay(nn.Module):
    """Features of sentences in, grades out."""

    def __init__(self, config: EssayConfig) -> None:
        super().__init__()
        self.into = nn.Linear(config.features, config.width)
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.layers))
        self.mean = WeightedMean(config)
        self.norm = nn.LayerNorm(config.width, eps=1.0)
        self.out = nn.Linear(config.width, 1)

    def forward(self, sentences: Tensor) -> Tensor:
        x = self.into(sentences)
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(self.mean(x))).squeeze(-1)


def build_essay(config: EssayConfig | None = None) -> Essay:
    """A grader with fixed random weights."""
    torch.manual_seed(0)
    return Essay(config or EssayConfig()).eval()
