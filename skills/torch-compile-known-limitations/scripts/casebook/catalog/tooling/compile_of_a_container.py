import torch
from torch import nn

from validators.probes import observe


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x_BC):
        return self.layer(x_BC).tanh()


class Forecaster(nn.Module):
    """A package's outer module: it only holds the model, and users call `predict`."""

    def __init__(self):
        super().__init__()
        self.model = Backbone()

    @torch.no_grad()
    def predict(self, x_BC):
        for _ in range(3):
            x_BC = self.model(x_BC)
        return x_BC


def container(forecaster):
    forecaster.compile(backend="eager")
    return forecaster.predict


def inner(forecaster):
    forecaster.model.compile(backend="eager")
    return forecaster.predict


def predict(device, way, **options):
    torch.manual_seed(0)
    x_BC = torch.randn(2, 4, device=device)
    return observe(Forecaster().to(device), [(x_BC,)] * 2, compile=way, **options)


def symptom(device):
    return predict(device, container, eager=True)


def remedy(device):
    return predict(device, inner)


def shows(report):
    assert report.exception is None, report.exception
    if report.executions == (0, 0):
        assert not report.graphs, report.graphs
        return True
    assert report.executions == (3, 3), report.executions
    return False
