"""An LSTM by hand: a cell, and a loop over time."""

import torch
from torch import nn


class LSTM(nn.Module):
    def __init__(self, size=6, hidden=8):
        super().__init__()
        self.hidden = hidden
        self.of_input = nn.Linear(size, 4 * hidden)
        self.of_state = nn.Linear(hidden, 4 * hidden)

    def forward(self, x):
        h = x.new_zeros(x.size(0), self.hidden)
        c = torch.zeros_like(h)
        outputs = []
        for t in range(x.size(1)):
            gates = self.of_input(x[:, t]) + self.of_state(h)
            i, f, g, o = gates.chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            outputs.append(h)
        return torch.stack(outputs, dim=1), (h, c)


def build():
    return LSTM()


def inputs(batch):
    return (torch.randn(batch, 5, 6),)
