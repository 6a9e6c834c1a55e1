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
    if len(report.graphs) == 1:
        return False
    assert all("found <class 'torch.Tensor'>" in it.reasons[0] for it in report.recompiles), (
        report.recompiles
    )
    assert [call.compiled for call in report.calls] == [1, 1, 0, 0], report.calls
    return True
