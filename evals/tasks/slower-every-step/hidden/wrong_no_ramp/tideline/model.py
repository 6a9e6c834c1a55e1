"""A small mixer over hours and gauges."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class ForecasterConfig:
    """The sizes of the model; `ramp` is the number of calls after which the gate is open."""

    hours: int = 96
    ahead: int = 24
    gauges: int = 4
    width: int = 32
    layers: int = 2
    ramp: int = 10


class MixerBlock(nn.Module):
    """Mix over hours, then over channels."""

    def __init__(self, config: ForecasterConfig) -> None:
        super().__init__()
        self.norm_hours = nn.LayerNorm(config.width)
        self.hours = nn.Linear(config.hours, config.hours)
        self.norm_width = nn.LayerNorm(config.width)
        self.up = nn.Linear(config.width, 2 * config.width)
        self.down = nn.Linear(2 * config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.hours(self.norm_hours(x).transpose(1, 2)).transpose(1, 2)
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm_width(x))))


class RampedGate(nn.Module):
    """A residual gate that opens linearly over the first calls."""

    def __init__(self, ramp: int) -> None:
        super().__init__()
        self.ramp = ramp
        self.calls = 0

    def forward(self, x: Tensor, update: Tensor) -> Tensor:
        return x + update


class Forecaster(nn.Module):
    """Hourly readings in, the next hours out."""

    def __init__(self, config: ForecasterConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Linear(config.gauges, config.width)
        self.hour = nn.Embedding(24, config.width)
        self.blocks = nn.ModuleList(MixerBlock(config) for _ in range(config.layers))
        self.gate = RampedGate(config.ramp)
        self.head = nn.Linear(config.hours, config.ahead)
        self.out = nn.Linear(config.width, config.gauges)

    def forward(self, series: Tensor, calendar: Tensor | None = None) -> Tensor:
        last = series[:, -1:, :]
        centered = series - last
        x = self.embed(centered)
        if calendar is None:
            calendar = torch.arange(series.shape[1], device=series.device) % 24
            calendar = calendar.unsqueeze(0).expand(series.shape[0], -1)
        x = x + self.hour(calendar)
        update = x
        for block in self.blocks:
            update = block(update)
        x = self.gate(x, update)
        ahead = self.head(x.transpose(1, 2)).transpose(1, 2)
        if not isinstance(ahead, Tensor):
            raise TypeError("the head must return a tensor")
        return self.out(ahead) + last


def build_forecaster(config: ForecasterConfig | None = None) -> Forecaster:
    """A forecaster with fixed random weights, as in the demo."""
    torch.manual_seed(0)
    return Forecaster(config or ForecasterConfig()).eval()
