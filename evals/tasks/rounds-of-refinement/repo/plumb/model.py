"""A recurrent refinement of depth maps."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class PlumbConfig:
    """Sizes of the model."""

    channels: int = 6
    max_rounds: int = 6
    step: float = 0.3


class Update(nn.Module):
    """What one round adds to the depth."""

    def __init__(self, config: PlumbConfig) -> None:
        super().__init__()
        self.into = nn.Conv2d(2, config.channels, 3, padding=1)
        self.out = nn.Conv2d(config.channels, 1, 3, padding=1)
        self.step = config.step

    def forward(self, depth: Tensor, start: Tensor) -> Tensor:
        hidden = F.gelu(self.into(torch.cat([depth, start], dim=1)))
        return self.step * torch.tanh(self.out(hidden))


class Normalize(nn.Module):
    """Scale each map to mean 0 and spread 1, and back."""

    def forward(self, depth: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean = depth.mean((1, 2, 3), keepdim=True)
        spread = depth.std((1, 2, 3), keepdim=True) + 1e-4
        return (depth - mean) / spread, mean, spread


class Plumb(nn.Module):
    """Coarse depth maps and the number of rounds in, finer maps out."""

    def __init__(self, config: PlumbConfig) -> None:
        super().__init__()
        self.config = config
        self.normalize = Normalize()
        self.update = Update(config)
        self.smooth = nn.Conv2d(1, 1, 3, padding=1)

    def forward(self, depth: Tensor, rounds: int) -> Tensor:
        if depth.dim() != 4 or depth.shape[1] != 1:
            raise ValueError("depth must have the dims (maps, 1, rows, columns)")
        start, mean, spread = self.normalize(depth)
        x = start
        for _ in range(rounds):
            x = x + self.update(x, start)
        return self.smooth(x) * spread + mean


def build_plumb(config: PlumbConfig | None = None) -> Plumb:
    """A model with fixed random weights."""
    torch.manual_seed(0)
    return Plumb(config or PlumbConfig()).eval()
