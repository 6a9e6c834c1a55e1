"""A linear layer with LoRA: frozen weights, and a trained update of low rank."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank=2, alpha=4):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) * 0.1)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        update = self.dropout(x) @ self.down.T @ self.up.T
        return self.base(x) + self.scale * update


def build():
    return nn.Sequential(LoRALinear(nn.Linear(8, 16)), nn.ReLU(), LoRALinear(nn.Linear(16, 4)))


def inputs(batch):
    return (torch.randn(batch, 8),)
