"""A noise suppressor for microphones: bands in, gains out, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class HushConfig:
    """Sizes; the number of streams is fixed when the service starts."""

    streams: int = 3
    bands: int = 10
    width: int = 24
    rate: float = 0.25


class Floor(nn.Module):
    """The running noise floor of each stream and band."""

    def __init__(self, config: HushConfig) -> None:
        super().__init__()
        self.register_buffer("level", torch.zeros(config.streams, config.bands))
        self.rate = config.rate

    def reset(self) -> None:
        """Begin again, as after a change of microphones."""
        self.level.zero_()

    def forward(self, power: Tensor) -> Tensor:
        self.level.lerp_(power, self.rate)
        return self.level


class Mask(nn.Module):
    """Gains from the power above the floor."""

    def __init__(self, config: HushConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.bands)
        self.up = nn.Linear(config.bands, config.width)
        self.down = nn.Linear(config.width, config.bands)

    def forward(self, above: Tensor) -> Tensor:
        return torch.sigmoid(self.down(F.silu(self.up(self.norm(above)))))


class Hush(nn.Module):
    """A frame of every stream in, the suppressed frame out."""

    def __init__(self, config: HushConfig) -> None:
        super().__init__()
        self.floor = Floor(config)
        self.mask = Mask(config)

    def forward(self, frame: Tensor) -> Tensor:
        power = frame.square()
        floor = self.floor(power)
        gains = self.mask(power - floor)
        return frame * gains * F.relu(1 - floor / (power + 1e-6))


def build_hush(config: HushConfig | None = None) -> Hush:
    """A suppressor with fixed random weights."""
    torch.manual_seed(0)
    return Hush(config or HushConfig()).eval()
