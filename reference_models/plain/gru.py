"""A GRU of `torch.nn` that classifies sequences."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 8)
        self.gru = nn.GRU(8, 16, batch_first=True)
        self.head = nn.Linear(16, 5)

    def forward(self, tokens):
        _, last = self.gru(self.embedding(tokens))
        return self.head(last[-1])


def build():
    return Classifier()


def inputs(batch):
    return (torch.randint(0, 50, (batch, 7)),)
