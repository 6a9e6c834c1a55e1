"""GroupNorm by hand, in a residual block."""

import torch
import torch.nn.functional as F
from torch import nn


class GroupNorm(nn.Module):
    def __init__(self, groups, channels, eps=1e-5):
        super().__init__()
        self.groups, self.eps = groups, eps
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        shape = x.shape
        x = x.view(shape[0], self.groups, -1)
        variance, mean = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
        x = ((x - mean) / torch.sqrt(variance + self.eps)).view(shape)
        return x * self.weight[:, None, None] + self.bias[:, None, None]


class Residual(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.norm = GroupNorm(4, channels)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return x + self.conv(F.silu(self.norm(x)))


def build():
    return nn.Sequential(nn.Conv2d(3, 8, 1), Residual(), nn.Upsample(scale_factor=2), Residual())


def inputs(batch):
    return (torch.randn(batch, 3, 4, 4),)
