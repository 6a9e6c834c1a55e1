"""Routed feed-forward layers, and the penalty for using experts unevenly."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

_PENALTIES: list[Tensor] = []


@dataclass
class SluiceConfig:
    """Sizes of the model."""

    channels: int = 6
    width: int = 24
    experts: int = 4
    layers: int = 2


def note_penalty(penalty: Tensor, into: list[Tensor] = _PENALTIES) -> None:
    """Remember what a layer has to pay in this pass."""
    into.append(penalty)


def collected_penalties() -> Tensor:
    """The sum of what the layers of this pass have noted."""
    total = torch.zeros(())
    for penalty in _PENALTIES:
        total = total + penalty
    return total


class Expert(nn.Module):
    """A small feed-forward network."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x)))


class RoutedLayer(nn.Module):
    """Every record goes through all experts, weighted by a router."""

    def __init__(self, config: SluiceConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.router = nn.Linear(config.width, config.experts)
        self.experts = nn.ModuleList(Expert(config.width) for _ in range(config.experts))

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x)
        weights = self.router(normed).softmax(-1)
        load = weights.mean(0)
        note_penalty((load - 1 / len(self.experts)).square().sum())
        for index, expert in enumerate(self.experts):
            x = x + weights[:, index, None] * expert(normed)
        return x


class Sluice(nn.Module):
    """Records in, clean records and the balance penalty out."""

    def __init__(self, config: SluiceConfig) -> None:
        super().__init__()
        self.embed = nn.Linear(config.channels, config.width)
        self.layers = nn.ModuleList(RoutedLayer(config) for _ in range(config.layers))
        self.out = nn.Linear(config.width, config.channels)

    def forward(self, records: Tensor) -> tuple[Tensor, Tensor]:
        _PENALTIES.clear()
        x = self.embed(records)
        for layer in self.layers:
            x = layer(x)
        return self.out(x) + records, collected_penalties()


def build_sluice(config: SluiceConfig | None = None) -> Sluice:
    """A model with fixed random weights."""
    torch.manual_seed(0)
    return Sluice(config or SluiceConfig())
