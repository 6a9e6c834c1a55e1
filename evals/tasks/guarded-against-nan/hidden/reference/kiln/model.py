"""A recurrent-free controller with a guard against broken readings."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class KilnConfig:
    """Sizes of the model."""

    sensors: int = 8
    width: int = 32
    layers: int = 3
    ceiling: float = 50.0


class BrokenReading(ValueError):
    """A reading is not finite."""


def checked(x: Tensor) -> Tensor:
    """The readings, if all are finite."""
    if not torch.isfinite(x).all():
        raise BrokenReading("a reading is not finite")
    return x


class Block(nn.Module):
    """A residual block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.relu(self.up(self.norm(x))))


class Guard(nn.Module):
    """Repair a batch with broken readings: clip it, with zeros in place of NaN."""

    def __init__(self, ceiling: float) -> None:
        super().__init__()
        self.ceiling = ceiling

    def forward(self, x: Tensor) -> Tensor:
        repaired = torch.nan_to_num(x, posinf=self.ceiling, neginf=-self.ceiling)
        repaired = repaired.clamp(-self.ceiling, self.ceiling)
        return torch.where(torch.isfinite(x).all(), x, repaired)


class Kiln(nn.Module):
    """Readings in, the temperature ahead out."""

    def __init__(self, config: KilnConfig) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(config.sensors))
        self.guard = Guard(config.ceiling)
        self.into = nn.Linear(config.sensors, config.width)
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.layers))
        self.out = nn.Linear(config.width, 1)

    def forward(self, readings: Tensor, offset: Tensor | None = None) -> Tensor:
        x = self.guard(readings * self.scale)
        x = self.into(x)
        for block in self.blocks:
            x = block(x)
        y = self.out(x).squeeze(-1)
        return y if offset is None else y + offset


def build_kiln(config: KilnConfig | None = None) -> Kiln:
    """A controller with fixed random weights."""
    torch.manual_seed(0)
    return Kiln(config or KilnConfig()).eval()
