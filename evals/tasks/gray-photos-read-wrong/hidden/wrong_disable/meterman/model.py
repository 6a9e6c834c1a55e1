"""Reads meters from photos, in color or in gray."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class _Annotation(type):
    """Lets a class stand for tensors with a number of channels, in annotations and `isinstance`."""

    channels = 0

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor) and value.ndim == 4 and value.shape[1] == cls.channels


class Gray(metaclass=_Annotation):
    """Images with one channel."""

    channels = 1


class Color(metaclass=_Annotation):
    """Images with three channels."""

    channels = 3


@dataclass
class MeterConfig:
    """Sizes of the model."""

    width: int = 12
    layers: int = 2
    digits: int = 10


class Stem(nn.Module):
    """Any image to features; gray ones are centered first, for their cameras drift."""

    def __init__(self, config: MeterConfig) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, config.width, 3, padding=1)
        self.register_buffer("center", torch.tensor([0.48, 0.46, 0.41]).view(1, 3, 1, 1))

    @torch.compiler.disable
    def forward(self, images: Gray | Color) -> Tensor:
        if isinstance(images, Gray):
            images = images - images.mean((2, 3), keepdim=True)
            images = images.expand(-1, 3, -1, -1)
        else:
            images = images - self.center
        return self.conv(images)


class Stage(nn.Module):
    """A residual convolution."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(2, width)
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        return x + F.relu(self.conv(self.norm(x)))


class Meter(nn.Module):
    """Images in, scores of the digits out."""

    def __init__(self, config: MeterConfig) -> None:
        super().__init__()
        self.stem = Stem(config)
        self.stages = nn.ModuleList(Stage(config.width) for _ in range(config.layers))
        self.head = nn.Linear(config.width, config.digits)

    def forward(self, images: Gray | Color) -> Tensor:
        x = self.stem(images)
        for stage in self.stages:
            x = stage(x)
        return self.head(x.mean((2, 3)))


def build_meter(config: MeterConfig | None = None) -> Meter:
    """A reader with fixed random weights."""
    torch.manual_seed(0)
    return Meter(config or MeterConfig()).eval()
