"""Set encoder: multi-head attention over padded sets, with pair log-odds."""

import torch
import torch.nn as nn


class MaskedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.o = nn.Linear(dim, dim)

    def split(self, x):
        b, n, d = x.shape
        return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(~mask[:, None, None, :], float("-inf"))
        weights = scores.softmax(-1)
        y = weights @ v
        return self.o(y.transpose(1, 2).flatten(2)), weights


class SetEncoder(nn.Module):
    def __init__(self, dim=32, heads=4):
        super().__init__()
        self.embed = nn.Linear(6, dim)
        self.attn = MaskedAttention(dim, heads)
        self.norm = nn.LayerNorm(dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, points, mask):
        h = self.embed(points)
        y, weights = self.attn(h, mask)
        h = self.norm(h + y)
        pooled = torch.where(mask[..., None], h, float("-inf")).amax(1)
        score = self.score(h).squeeze(-1).masked_fill(~mask, float("-inf"))
        log_odds = score[:, :, None] - score[:, None, :]
        return {
            "pooled": pooled,
            "pooled_clean": torch.nan_to_num(pooled, nan=0.0, neginf=0.0),
            "weights": weights,
            "log_odds": log_odds,
            "log_norm": torch.logsumexp(score, -1),
        }


def example():
    torch.manual_seed(8)
    model = SetEncoder().eval()
    lengths = torch.tensor([7, 3, 0, 1])
    mask = torch.arange(7)[None, :] < lengths[:, None]
    return model, [(torch.randn(4, 7, 6), mask)]
