import torch
from torch import nn

from validators.probes import observe


class Rotary(nn.Module):
    """Keeps its table from the first call on."""

    def __init__(self, table=None):
        super().__init__()
        self.table = table

    def forward(self, x):
        if self.table is None:
            self.table = table_of(x.shape[0], x.shape[1], x.device)
        return x * self.table


def table_of(length, width, device):
    return torch.outer(torch.arange(length, device=device), torch.ones(width, device=device)).cos()


def symptom(device):
    x = torch.randn(4, 8, device=device)
    return observe(Rotary(), [(x,)] * 4)


def remedy(device):
    x = torch.randn(4, 8, device=device)
    return observe(Rotary(table_of(4, 8, device)), [(x,)] * 4)


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0)
