"""Attention with rotary positions, as complex numbers."""

import torch
import torch.nn.functional as F
from torch import nn


def rotations(width, longest, base=10000.0):
    frequencies = 1.0 / base ** (torch.arange(0, width, 2).float() / width)
    angles = torch.outer(torch.arange(longest).float(), frequencies)
    return torch.polar(torch.ones_like(angles), angles)


def rotate(x, turns):
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns[: x.shape[-2]]).flatten(-2).type_as(x)


class Attention(nn.Module):
    def __init__(self, width=16, heads=2, longest=32):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.register_buffer("turns", rotations(width // heads, longest))

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        q, k = rotate(q, self.turns), rotate(k, self.turns)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return mixed.transpose(1, 2).reshape(batch, length, width)


def build():
    return Attention()


def inputs(batch):
    return (torch.randn(batch, 8, 16),)
