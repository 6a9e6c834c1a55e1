import torch
import torch.nn as nn


class EventAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.width = heads, dim // heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, t, d = x.shape
        q = self.query(x).view(b, t, self.heads, self.width).permute(0, 2, 1, 3)
        k = self.key(x).view(b, t, self.heads, self.width).permute(0, 2, 3, 1)
        v = self.value(x).view(b, t, self.heads, self.width).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) * self.width**-0.5
        mixed = torch.matmul(scores.softmax(dim=-1), v)
        return self.out(mixed.transpose(1, 2).reshape(b, t, d))


class EventEncoder(nn.Module):
    """Encodes a short stream of typed events with time gaps."""

    def __init__(self, kinds=10, dim=32, heads=8):
        super().__init__()
        self.kind = nn.Embedding(kinds, dim)
        self.gap = nn.Linear(1, dim)
        self.norm1 = nn.LayerNorm(dim)
        self.attend = EventAttention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.feed = nn.Sequential(nn.Linear(dim, 48), nn.GELU(), nn.Linear(48, dim))
        self.head = nn.Linear(dim, 5)

    def forward(self, kinds, gaps):
        x = self.kind(kinds) + self.gap(torch.log1p(gaps).unsqueeze(-1))
        x = x + self.attend(self.norm1(x))
        x = x + self.feed(self.norm2(x))
        return self.head(x.mean(dim=1)), x


def example():
    torch.manual_seed(29)
    model = EventEncoder().eval().requires_grad_(False)
    for p in (model.attend.query.weight, model.attend.key.weight):
        p.mul_(3.0)
    kinds = torch.randint(0, 10, (2, 8))
    gaps = torch.rand(2, 8) * 20
    return model, [(kinds, gaps)]
