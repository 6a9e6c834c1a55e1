"""An autoencoder whose error is the score."""

from __future__ import annotations

import itertools
import logging
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

logger = logging.getLogger(__name__)


@dataclass
class DetectorConfig:
    """Sizes of the model."""

    fields: int = 20
    width: int = 32
    code: int = 4
    layers: int = 2


@torch.compiler.disable
def tell(width: int) -> None:
    """Log without tracing."""
    logger.debug("stage of width %d", width)


class Stage(nn.Module):
    """A linear layer, normalized."""

    def __init__(self, into: int, out: int) -> None:
        super().__init__()
        self.linear = nn.Linear(into, out)
        self.norm = nn.LayerNorm(out)

    def forward(self, x: Tensor) -> Tensor:
        tell(self.linear.out_features)
        return self.norm(F.gelu(self.linear(x)))


class FieldWeights(nn.Module):
    """Weights of the fields: the first ones, the header, count more."""

    def __init__(self, fields: int) -> None:
        super().__init__()
        self.fields = fields
        self.weights: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        if self.weights is None:
            ramp = torch.linspace(2.0, 0.5, self.fields, dtype=x.dtype, device=x.device)
            self.weights = ramp / ramp.mean()
        return x * self.weights


class Detector(nn.Module):
    """Packets in, scores out."""

    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        sizes = [config.fields, *[config.width] * config.layers, config.code]
        pairs = list(itertools.pairwise(sizes))
        self.down = nn.ModuleList(Stage(a, b) for a, b in pairs)
        self.up = nn.ModuleList(Stage(b, a) for a, b in reversed(pairs))
        self.out = nn.Linear(config.fields, config.fields)
        self.weights = FieldWeights(config.fields)

    def forward(self, packets: Tensor, reference: Tensor | None = None) -> Tensor:
        x = packets
        for stage in [*self.down, *self.up]:
            x = stage(x)
        target = packets if reference is None else reference
        error = self.weights((self.out(x) - target).square())
        return error.mean(-1)


def build_detector(config: DetectorConfig | None = None) -> Detector:
    """A detector with fixed random weights."""
    torch.manual_seed(0)
    return Detector(config or DetectorConfig()).eval()
