"""A U-Net with one level: down, up, and a skip connection."""

import torch
import torch.nn.functional as F
from torch import nn


def block(inside, outside):
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = block(1, 4)
        self.middle = block(4, 8)
        self.lift = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.up = block(8, 4)
        self.head = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        skip = self.down(x)
        x = self.lift(self.middle(F.max_pool2d(skip, 2)))
        return self.head(self.up(torch.cat([skip, x], dim=1)))


def build():
    return UNet()


def inputs(batch):
    return (torch.randn(batch, 1, 8, 8),)
