"""MLP-Mixer with stochastic depth, trained with label smoothing."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class DropPath(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        keep = 1.0 - self.p
        mask = torch.rand(x.shape[0], 1, 1, device=x.device, dtype=x.dtype) < keep
        return x * mask / keep


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim, p):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.token_mlp = nn.Sequential(
            nn.Linear(tokens, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, tokens)
        )
        self.channel_mlp = nn.Sequential(
            nn.Linear(dim, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, dim), nn.Dropout(0.1)
        )
        self.path = DropPath(p)

    def forward(self, x):
        x = x + self.path(self.token_mlp(self.norm1(x).transpose(1, 2)).transpose(1, 2))
        return x + self.path(self.channel_mlp(self.norm2(x)))


class Mixer(nn.Module):
    def __init__(self, dim=32, classes=10, drop=(0.2,)):
        super().__init__()
        self.patch = nn.Conv2d(3, dim, 4, stride=4)
        self.blocks = nn.ModuleList(MixerBlock(16, dim, p) for p in drop)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        if self.training:
            x = x + 0.05 * torch.randn_like(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1))


def example():
    torch.manual_seed(21)
    model = Mixer().train()
    calls = [(torch.randn(8, 3, 16, 16),), (torch.randn(8, 3, 16, 16),)]
    target = torch.randint(0, 10, (8,))

    def loss(output):
        return F.cross_entropy(output, target, label_smoothing=0.1)

    return model, calls, loss
