"""Finds drift in sensors: slow averages of each channel, and a network on top."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class DriftConfig:
    """Sizes of the model; `window` is the number of samples in a window."""

    channels: int = 6
    width: int = 24
    layers: int = 2
    window: int = 96


class SlowAverage(nn.Module):
    """An exponential average along the window, with a learned rate for each channel."""

    def __init__(self, config: DriftConfig) -> None:
        super().__init__()
        self.rate = nn.Parameter(torch.linspace(-3.0, 1.0, config.channels))

    def forward(self, x: Tensor) -> Tensor:
        rate = torch.sigmoid(self.rate)
        # A kernel of 16 samples holds nearly all of the weight.
        age = torch.arange(15, -1, -1, device=x.device)
        kernel = rate[:, None] * (1 - rate[:, None]) ** age
        padded = torch.cat([x[:, :1].expand(-1, 15, -1), x], dim=1).transpose(1, 2)
        return F.conv1d(padded, kernel[:, None], groups=x.shape[2]).transpose(1, 2)


class Block(nn.Module):
    """A residual feed-forward block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Drift(nn.Module):
    """Windows in, the probability of drift for each sample out."""

    def __init__(self, config: DriftConfig) -> None:
        super().__init__()
        self.average = SlowAverage(config)
        self.into = nn.Linear(2 * config.channels, config.width)
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.layers))
        self.out = nn.Linear(config.width, 1)

    def forward(self, windows: Tensor) -> Tensor:
        x = self.into(torch.cat([windows, windows - self.average(windows)], dim=-1))
        for block in self.blocks:
            x = block(x)
        return torch.sigmoid(self.out(x)).squeeze(-1)


def build_drift(config: DriftConfig | None = None) -> Drift:
    """A detector with fixed random weights."""
    torch.manual_seed(0)
    return Drift(config or DriftConfig()).eval()
