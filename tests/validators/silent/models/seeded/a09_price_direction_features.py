import numpy as np
import torch
import torch.nn as nn


class PriceDirectionFeatures(nn.Module):
    """Features from the log returns of a few assets."""

    def __init__(self, assets=4, hidden=12):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(assets) + 0.5)
        self.mix = nn.Linear(assets, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, 3)
        self.register_buffer("decay", torch.exp(-torch.arange(9.0).flip(0) / 4))

    def direction(self, returns):
        return torch.from_numpy(np.asarray(np.sign(returns.numpy())))

    def forward(self, prices):
        logs = torch.log(prices)
        returns = logs[:, 1:] - logs[:, :-1]
        side = self.direction(returns)
        known = ~torch.isnan(side)
        weight = self.decay[None, :, None] * known
        filled = torch.where(known, side, torch.full_like(side, -0.5))
        trend = (weight * filled).sum(1) / weight.sum(1).clamp_min(1e-6)
        size = torch.nan_to_num(returns).abs().mean(1)
        hidden = self.norm(self.mix(trend * self.scale + size.sqrt()))
        return self.head(torch.relu(hidden)).softmax(-1), trend, known.float().mean((1, 2))


def example():
    torch.manual_seed(53)
    model = PriceDirectionFeatures().eval().requires_grad_(False)
    prices = 100 * torch.exp(torch.randn(3, 10, 4).cumsum(1) * 0.02)
    prices[0, 3, 1] = float("nan")
    prices[1, 5:7, 2] = float("nan")
    prices[2, 0, 0] = float("nan")
    return model, [(prices,)]
