"""Layers with simulated quantization of their activations."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class OctetConfig:
    """Sizes of the model; `levels` is the largest integer of the simulated type."""

    features: int = 10
    width: int = 24
    layers: int = 2
    levels: int = 127
    widest: int = 16


class Quantizer(nn.Module):
    """Round to the levels of an integer type, with a scale per batch."""

    def __init__(self, config: OctetConfig) -> None:
        super().__init__()
        self.levels = config.levels
        self.widest = config.widest

    def forward(self, x: Tensor) -> Tensor:
        scale = x.detach().abs().max().clamp(min=1e-6) / self.levels
        return (x / scale).round() * scale


class Layer(nn.Module):
    """A residual layer on quantized activations."""

    def __init__(self, config: OctetConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.quantizer = Quantizer(config)
        self.up = nn.Linear(config.width, config.width)
        self.down = nn.Linear(config.width, config.width)

    def forward(self, x: Tensor) -> Tensor:
        hidden = F.gelu(self.up(self.quantizer(self.norm(x))))
        return x + self.down(hidden)


class Octet(nn.Module):
    """Features in, a value out."""

    def __init__(self, config: OctetConfig) -> None:
        super().__init__()
        self.into = nn.Linear(config.features, config.width)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.out = nn.Linear(config.width, 1)

    def forward(self, features: Tensor, weights: Tensor | None = None) -> Tensor:
        x = self.into(features)
        for layer in self.layers:
            x = layer(x)
        y = self.out(x).squeeze(-1)
        if weights is not None:
            y = y * weights
        return y


def build_octet(config: OctetConfig | None = None) -> Octet:
    """A regression with fixed random weights."""
    torch.manual_seed(0)
    return Octet(config or OctetConfig()).eval()
