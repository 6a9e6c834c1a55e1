"""A causal convolutional net with weight norm."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class Block(nn.Module):
    def __init__(self, inside, outside, dilation):
        super().__init__()
        self.padding = 2 * dilation
        self.conv = weight_norm(nn.Conv1d(inside, outside, 3, dilation=dilation))
        self.skip = nn.Conv1d(inside, outside, 1)

    def forward(self, x):
        return F.relu(self.conv(F.pad(x, (self.padding, 0))) + self.skip(x))


def build():
    return nn.Sequential(Block(2, 6, 1), Block(6, 6, 2), nn.Conv1d(6, 1, 1))


def inputs(batch):
    return (torch.randn(batch, 2, 10),)
