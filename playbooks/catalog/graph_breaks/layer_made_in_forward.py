import torch
from torch import nn

from validators.probes import observe


class MakesLayer(nn.Module):
    def forward(self, x):
        return nn.Linear(8, 4, device=x.device)(x).relu()


class HasLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        return self.layer(x).relu()


def project(device, model):
    inputs = [(torch.ones(2, 8, device=device),)] * 2
    return observe(model.to(device), inputs, fullgraph=True)


def symptom(device):
    return project(device, MakesLayer())


def remedy(device):
    return project(device, HasLayer())


def shows(report):
    if report.exception is None:
        assert len(report.graphs) == 1 and len(report.calls) == 2, report
        return False
    return not report.graphs
