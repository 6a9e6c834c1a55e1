"""Rows are encoded one by one and pooled per table."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class EncoderConfig:
    """Sizes of the model."""

    columns: int = 6
    width: int = 24
    layers: int = 2
    out: int = 8


class RowLayer(nn.Module):
    """A residual layer for each row."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.silu(self.up(self.norm(x))))


class ColumnScale(nn.Module):
    """Scale columns by learned factors."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(columns))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.log_scale.exp()


class TableEncoder(nn.Module):
    """Tables and their valid rows in, a vector per table out."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.scale = ColumnScale(config.columns)
        self.into = nn.Linear(config.columns, config.width)
        self.layers = nn.ModuleList(RowLayer(config.width) for _ in range(config.layers))
        self.out = nn.Linear(config.width, config.out, bias=False)

    def pooled(self, x: Tensor, valid: Tensor) -> Tensor:
        """The mean over the valid rows of each table."""
        vectors = []
        for rows, mask in zip(x.unbind(0), valid.unbind(0), strict=True):
            kept = rows[mask]
            vectors.append(kept.mean(0) if len(kept) else torch.zeros_like(rows[0]))
        return torch.stack(vectors)

    def forward(self, tables: Tensor, valid: Tensor | None = None) -> Tensor:
        if valid is None:
            valid = torch.ones(tables.shape[:2], dtype=torch.bool, device=tables.device)
        x = self.into(self.scale(tables))
        for layer in self.layers:
            x = layer(x)
        return self.out(self.pooled(x, valid))


def build_encoder(config: EncoderConfig | None = None) -> TableEncoder:
    """An encoder with fixed random weights."""
    torch.manual_seed(0)
    return TableEncoder(config or EncoderConfig()).eval()
