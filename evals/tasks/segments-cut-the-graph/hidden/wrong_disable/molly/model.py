"""A network over flat batches of atoms."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class MollyConfig:
    """Sizes of the model."""

    elements: int = 20
    width: int = 24
    layers: int = 2
    charge_scale: float = 0.1


class AtomBlock(nn.Module):
    """A gated residual block for each atom."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.norm(x)
        return x + torch.sigmoid(self.gate(normed)) * self.value(normed)


class MeanPool(nn.Module):
    """The mean over the atoms of each molecule."""

    @torch.compiler.disable
    def forward(self, x: Tensor, sizes: Tensor) -> Tensor:
        molecules = x.split(sizes.tolist())
        return torch.stack([it.mean(0) for it in molecules])


class Molly(nn.Module):
    """Elements of atoms, sizes of molecules and perhaps charges in; a value per molecule out."""

    def __init__(self, config: MollyConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.elements, config.width)
        self.charge = nn.Linear(1, config.width, bias=False)
        self.blocks = nn.ModuleList(AtomBlock(config.width) for _ in range(config.layers))
        self.pool = MeanPool()
        self.hidden = nn.Linear(config.width, config.width)
        self.out = nn.Linear(config.width, 1)

    def forward(self, elements: Tensor, sizes: Tensor, charges: Tensor | None = None) -> Tensor:
        x = self.embed(elements)
        if charges is not None:
            x = x + self.charge(self.config.charge_scale * charges.unsqueeze(-1))
        for block in self.blocks:
            x = block(x)
        pooled = self.pool(x, sizes)
        return self.out(F.silu(self.hidden(pooled))).squeeze(-1)


def build_molly(config: MollyConfig | None = None) -> Molly:
    """A model with fixed random weights."""
    torch.manual_seed(0)
    return Molly(config or MollyConfig()).eval()
