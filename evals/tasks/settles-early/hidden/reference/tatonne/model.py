"""A learned fixed-point iteration."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class MarketConfig:
    """Sizes of the model and of its iteration."""

    goods: int = 6
    width: int = 16
    rounds: int = 5
    damping: float = 0.2
    tolerance: float = 0.02


class Excess(nn.Module):
    """Excess demand at given prices."""

    def __init__(self, config: MarketConfig) -> None:
        super().__init__()
        self.into = nn.Linear(2 * config.goods, config.width)
        self.out = nn.Linear(config.width, config.goods)

    def forward(self, prices: Tensor, demand: Tensor) -> Tensor:
        return self.out(torch.tanh(self.into(torch.cat([prices, demand], dim=-1)))) - prices


class Adjustment(nn.Module):
    """How far prices move for an excess."""

    def __init__(self, config: MarketConfig) -> None:
        super().__init__()
        self.damping = config.damping
        self.speed = nn.Parameter(torch.zeros(config.goods))

    def forward(self, excess: Tensor) -> Tensor:
        return (1 - self.damping) * excess * torch.sigmoid(self.speed + 2.0)


class Market(nn.Module):
    """Demand in, prices out."""

    def __init__(self, config: MarketConfig) -> None:
        super().__init__()
        self.config = config
        self.start = nn.Linear(config.goods, config.goods)
        self.excess = Excess(config)
        self.adjustment = Adjustment(config)

    def settled(self, demand: Tensor) -> Tensor:
        """Prices that hardly move any more, or those of the last round."""
        prices = self.start(demand)
        moving = torch.ones((), dtype=torch.bool, device=demand.device)
        for _ in range(self.config.rounds):
            move = self.adjustment(self.excess(prices, demand))
            prices = torch.where(moving, prices + move, prices)
            moving = moving & ~(move.abs().max() < self.config.tolerance)
        return prices

    def forward(self, demand: Tensor, floor: Tensor | None = None) -> Tensor:
        if demand.shape[-1] != self.config.goods:
            raise ValueError("demand needs a value for each good")
        prices = F.softplus(self.settled(demand))
        return prices if floor is None else torch.maximum(prices, floor)


def build_market(config: MarketConfig | None = None) -> Market:
    """A market with fixed random weights."""
    torch.manual_seed(0)
    return Market(config or MarketConfig()).eval()
