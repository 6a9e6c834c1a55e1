"""A small convolutional classifier with BatchNorm."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.first_norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3, padding=1)
        self.second_norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.first_norm(self.first(x))), 2)
        x = F.relu(self.second_norm(self.second(x)))
        return self.head(x.mean(dim=(2, 3)))


def build():
    return Net()


def inputs(batch):
    return (torch.randn(batch, 3, 8, 8),)
