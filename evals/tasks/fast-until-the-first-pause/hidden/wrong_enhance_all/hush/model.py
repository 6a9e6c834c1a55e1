"""A convolutional enhancer for short blocks of audio."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class HushConfig:
    """Sizes of the model."""

    channels: int = 8
    kernel: int = 5
    layers: int = 2


class ResidualConv(nn.Module):
    """A dilated convolution with a residual."""

    def __init__(self, channels: int, kernel: int, dilation: int) -> None:
        super().__init__()
        self.pad = dilation * (kernel - 1)
        self.conv = nn.Conv1d(channels, 2 * channels, kernel, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        value, gate = self.conv(F.pad(x, (self.pad, 0))).chunk(2, dim=1)
        return x + self.mix(torch.tanh(value) * torch.sigmoid(gate))


class Loudness(nn.Module):
    """Scale a block to unit loudness, and back."""

    def forward(self, block: Tensor) -> tuple[Tensor, Tensor]:
        loudness = block.square().mean(-1, keepdim=True).sqrt() + 1e-5
        return block / loudness, loudness


class Hush(nn.Module):
    """A block and the mask of its speech in, the enhanced block out."""

    def __init__(self, config: HushConfig) -> None:
        super().__init__()
        self.config = config
        self.loudness = Loudness()
        self.into = nn.Conv1d(1, config.channels, 1)
        self.layers = nn.ModuleList(
            ResidualConv(config.channels, config.kernel, 2**n) for n in range(config.layers)
        )
        self.out = nn.Conv1d(config.channels, 1, 1)

    def forward(self, block: Tensor, speech: Tensor | None = None) -> Tensor:
        if speech is None:
            speech = torch.ones_like(block, dtype=torch.bool)
        if not isinstance(block, Tensor) or block.dim() != 2:
            raise ValueError("block must have the dims (streams, samples)")
        scaled, loudness = self.loudness(block)
        x = self.into(scaled.unsqueeze(1))
        for layer in self.layers:
            x = layer(x)
        clean = self.out(x).squeeze(1) * loudness
        return torch.where(speech, clean, block)


def build_hush(config: HushConfig | None = None) -> Hush:
    """An enhancer with fixed random weights."""
    torch.manual_seed(0)
    return Hush(config or HushConfig()).eval()
