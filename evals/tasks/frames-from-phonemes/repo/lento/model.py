"""A length regulator between an encoder and a decoder."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class LentoConfig:
    """Sizes of the model."""

    phonemes: int = 40
    width: int = 24
    bins: int = 12
    speaker: int = 4
    layers: int = 2


class ConvBlock(nn.Module):
    """A depthwise convolution and a mixing layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x)
        before = F.pad(normed, (0, 0, 1, 0))[:-1]
        return x + F.gelu(self.mix(torch.cat([normed, before], dim=-1)))


class LengthRegulator(nn.Module):
    """Repeat each phoneme for its duration."""

    def forward(self, x: Tensor, durations: Tensor) -> Tensor:
        return torch.repeat_interleave(x, durations, dim=0)


class Lento(nn.Module):
    """Phonemes, their durations and a speaker in, a spectrum of `frames` frames out."""

    def __init__(self, config: LentoConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(config.phonemes, config.width)
        self.encoder = nn.ModuleList(ConvBlock(config.width) for _ in range(config.layers))
        self.speaker = nn.Linear(config.speaker, config.width)
        self.regulator = LengthRegulator()
        self.decoder = nn.ModuleList(ConvBlock(config.width) for _ in range(config.layers))
        self.out = nn.Linear(config.width, config.bins)

    def forward(self, phonemes: Tensor, durations: Tensor, frames: int, speaker: Tensor) -> Tensor:
        if phonemes.shape != durations.shape:
            raise ValueError("each phoneme needs a duration")
        x = self.embed(phonemes) + self.speaker(speaker)
        for block in self.encoder:
            x = block(x)
        x = self.regulator(x, durations)
        for block in self.decoder:
            x = block(x)
        return self.out(x)


def build_lento(config: LentoConfig | None = None) -> Lento:
    """A model with fixed random weights."""
    torch.manual_seed(0)
    return Lento(config or LentoConfig()).eval()
