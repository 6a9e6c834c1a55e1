"""A demand curve: the load of the last days in, one hour of the next day out."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class CurveConfig:
    """Sizes of the model."""

    days: int = 7
    width: int = 32
    layers: int = 2
    hours: int = 24


class Block(nn.Module):
    """A gated residual block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x)
        return x + torch.sigmoid(self.gate(normed)) * self.value(normed)


class HourTable(nn.Module):
    """What is particular to each hour of the day."""

    def __init__(self, hours: int, width: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.randn(width, hours) * 0.1)
        self.scale = nn.Parameter(1 + torch.randn(width, hours) * 0.1)

    def forward(self, x: Tensor, hour: int) -> Tensor:
        return x * self.scale.select(1, hour) + self.bias.select(1, hour)


class Curve(nn.Module):
    """One hour of the next day, from the load of the last days."""

    def __init__(self, config: CurveConfig) -> None:
        super().__init__()
        self.config = config
        self.days = nn.Linear(config.days * config.hours, config.width)
        self.same_hour = nn.Linear(config.days, config.width)
        self.blocks = nn.ModuleList(Block(config.width) for _ in range(config.layers))
        self.workday = HourTable(config.hours, config.width)
        self.weekend = HourTable(config.hours, config.width)
        self.out = nn.Linear(config.width, 1)

    def forward(self, load: Tensor, hour: Tensor, weekend: Tensor | None = None) -> Tensor:
        x = self.days(load.flatten(1))
        x = x + self.same_hour(load.select(2, hour))
        for block in self.blocks:
            x = block(x)
        at_work = self.workday(x, hour)
        if weekend is None:
            weekend = torch.zeros(load.shape[0], 1, dtype=torch.bool, device=load.device)
        x = torch.where(weekend, self.weekend(x, hour), at_work)
        if isinstance(self.out, nn.Identity):
            return x
        return F.softplus(self.out(x)).squeeze(-1)


def build_curve(config: CurveConfig | None = None) -> Curve:
    """A curve with fixed random weights."""
    torch.manual_seed(0)
    return Curve(config or CurveConfig()).eval()
