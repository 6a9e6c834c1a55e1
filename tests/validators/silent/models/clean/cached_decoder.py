"""Single-block causal decoder that generates with a static key/value cache."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class CachedAttention(nn.Module):
    def __init__(self, dim, heads, batch, max_len):
        super().__init__()
        self.heads, self.head_dim = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)
        shape = (batch, heads, max_len, self.head_dim)
        self.register_buffer("k_cache", torch.zeros(shape))
        self.register_buffer("v_cache", torch.zeros(shape))
        mask = torch.full((max_len, max_len), -3e38).triu(1)
        self.register_buffer("mask", mask)

    def forward(self, x, pos, pad_bias):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4)
        self.k_cache[:, :, pos] = k
        self.v_cache[:, :, pos] = v
        scores = q @ self.k_cache.transpose(-1, -2) / self.head_dim**0.5
        scores = scores + self.mask[pos] + pad_bias[:, None, None, :]
        y = torch.softmax(scores, -1) @ self.v_cache
        return self.out(y.transpose(1, 2).reshape(b, t, d))


class Decoder(nn.Module):
    def __init__(self, vocab=97, dim=48, heads=4, batch=2, max_len=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(max_len, dim)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = CachedAttention(dim, heads, batch, max_len)
        self.mlp = nn.Sequential(nn.Linear(dim, 96), nn.GELU(), nn.Linear(96, dim))
        self.head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids, pos, pad_bias):
        x = self.tok(ids) + self.pos(pos)
        x = x + self.attn(self.norm1(x), pos, pad_bias)
        x = x + self.mlp(self.norm2(x))
        return F.log_softmax(self.head(x)[:, -1], -1)


def example():
    torch.manual_seed(5)
    model = Decoder().eval()
    pad_bias = torch.zeros(2, 24)
    pad_bias[1, :3] = -3e38
    calls = [(torch.randint(0, 97, (2, 8)), torch.arange(8), pad_bias)]
    for step in range(8, 12):
        calls.append((torch.randint(0, 97, (2, 1)), torch.tensor([step]), pad_bias))
    return model, calls
