"""Reads melodies: notes in, one feature for each bar of eight notes out."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class BarsConfig:
    """Sizes of the model; `bar` is the number of notes that are pooled."""

    pitches: int = 48
    width: int = 20
    layers: int = 2
    bar: int = 8
    moods: int = 4


class Block(nn.Module):
    """A residual block over single notes."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.gelu(self.up(self.norm(x))))


class BarPool(nn.Module):
    """The sum of each bar; an unfinished last bar is filled with a learned rest."""

    def __init__(self, config: BarsConfig) -> None:
        super().__init__()
        self.bar = config.bar
        self.rest = nn.Parameter(torch.linspace(-0.5, 0.5, config.width))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        missing = self.bar - length % self.bar
        rests = self.rest.expand(batch, missing, width)
        x = torch.cat([x, rests], dim=1)
        return x.view(batch, -1, self.bar, width).sum(2)


class Bars(nn.Module):
    """Pitches in, the mood of each bar out."""

    def __init__(self, config: BarsConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(config.pitches, config.width)
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.layers))
        self.pool = BarPool(config)
        self.head = nn.Linear(config.width, config.moods)

    def forward(self, pitches: Tensor, velocity: Tensor | None = None) -> Tensor:
        x = self.embed(pitches)
        if velocity is not None:
            x = x * velocity[..., None]
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(x))


def build_bars(config: BarsConfig | None = None) -> Bars:
    """A reader with fixed random weights."""
    torch.manual_seed(0)
    return Bars(config or BarsConfig()).eval()
