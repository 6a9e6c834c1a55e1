import torch
from torch import nn

from validators.probes import observe


@torch.no_grad()
def clipped(weight):
    return weight.clamp(-1, 1)


def symptom(device):
    weight = nn.Parameter(torch.randn(4, 8, device=device))
    average = torch.randn(4, 8, device=device)
    return observe(clipped, [(weight,), (average,)] * 2)


def remedy(device):
    weight = nn.Parameter(torch.randn(4, 8, device=device))
    average = torch.randn(4, 8, device=device)
    return observe(clipped, [(weight.detach(),), (average,)] * 2)


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0)
