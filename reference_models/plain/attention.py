"""Causal attention with several heads, by hand."""

import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=16, heads=2, longest=32):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(longest, longest)))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).split(width, dim=2)
        q, k, v = (
            it.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for it in (q, k, v)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.mask[:length, :length] == 0, float("-inf"))
        mixed = scores.softmax(dim=-1) @ v
        return self.out(mixed.transpose(1, 2).contiguous().view(batch, length, width))


def build():
    return Attention()


def inputs(batch):
    return (torch.randn(batch, 8, 16),)
