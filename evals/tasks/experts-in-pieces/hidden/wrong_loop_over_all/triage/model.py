"""A classifier with routed feed-forward layers."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class TriageConfig:
    """Sizes of the model."""

    vocabulary: int = 50
    width: int = 16
    experts: int = 4
    chosen: int = 2
    layers: int = 2
    queues: int = 5


class Expert(nn.Module):
    """A small feed-forward network."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.silu(self.up(x)))


class RoutedLayer(nn.Module):
    """Each token goes to its best experts; experts without tokens do nothing."""

    def __init__(self, config: TriageConfig) -> None:
        super().__init__()
        self.chosen = config.chosen
        self.norm = nn.LayerNorm(config.width)
        self.router = nn.Linear(config.width, config.experts, bias=False)
        self.experts = nn.ModuleList(Expert(config.width) for _ in range(config.experts))

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x).flatten(0, 1)
        weights, chosen = self.router(normed).softmax(-1).topk(self.chosen, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        routed = F.one_hot(chosen, len(self.experts)).permute(2, 1, 0)
        out = torch.zeros_like(normed)
        for expert in range(len(self.experts)):
            rank, token = torch.where(routed[expert])
            out.index_add_(
                0, token, self.experts[expert](normed[token]) * weights[token, rank, None]
            )
        return x + out.view_as(x)


class Triage(nn.Module):
    """Tokens of tickets in, scores of queues out; padding has the token 0."""

    def __init__(self, config: TriageConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(config.vocabulary, config.width, padding_idx=0)
        self.layers = nn.ModuleList(RoutedLayer(config) for _ in range(config.layers))
        self.out = nn.Linear(config.width, config.queues)

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        if mask is None:
            mask = tokens != 0
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        mask = mask.unsqueeze(-1).expand(-1, -1, x.shape[-1])
        return self.out((x * mask).sum(1) / mask.sum(1).clamp(min=1))


def build_triage(config: TriageConfig | None = None) -> Triage:
    """A classifier with fixed random weights."""
    torch.manual_seed(0)
    return Triage(config or TriageConfig()).eval()
