"""Scores events against pages of what was seen before in the same batch of logs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pagekeep.ops import store


@dataclass
class PagesConfig:
    """Sizes of the model."""

    fields: int = 12
    width: int = 16
    slots: int = 8
    layers: int = 2


class Encoder(nn.Module):
    """Fields to keys."""

    def __init__(self, config: PagesConfig) -> None:
        super().__init__()
        sizes = [config.fields, *[config.width] * config.layers]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = F.silu(layer(x))
        return F.normalize(x, dim=-1)


class Pages(nn.Module):
    """Known keys, put into fixed slots by the store kernel."""

    def __init__(self, config: PagesConfig) -> None:
        super().__init__()
        self.slots = config.slots
        self.start = nn.Parameter(0.1 * torch.ones(config.width))

    def forward(self, keys: Tensor) -> Tensor:
        pages = self.start.expand(self.slots, -1).clone()
        slots = torch.arange(keys.shape[0], device=keys.device) % self.slots
        store(pages, keys, slots)
        return pages


class PageScorer(nn.Module):
    """Known events and new ones in, how odd the new ones are out."""

    def __init__(self, config: PagesConfig) -> None:
        super().__init__()
        self.encoder = Encoder(config)
        self.pages = Pages(config)
        self.temper = nn.Parameter(torch.tensor(4.0))

    def forward(self, known: Tensor, new: Tensor) -> Tensor:
        pages = self.pages(self.encoder(known))
        query = self.encoder(new)
        attention = (self.temper * query @ pages.T).softmax(-1)
        return (query - attention @ pages).square().sum(-1)


def build_scorer(config: PagesConfig | None = None) -> PageScorer:
    """A scorer with fixed random weights."""
    torch.manual_seed(0)
    return PageScorer(config or PagesConfig()).eval()
