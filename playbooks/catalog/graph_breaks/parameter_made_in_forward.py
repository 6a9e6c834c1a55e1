import torch
from torch.nn import functional as F

from validators.probes import observe


class Hypernetwork(torch.nn.Module):
    """The weights of a layer are computed of a context."""

    def __init__(self):
        super().__init__()
        self.weights = torch.nn.Linear(4, 3 * 8)


class MakesParameter(Hypernetwork):
    def forward(self, x, context):
        weight = torch.nn.Parameter(self.weights(context).view(3, 8))
        return F.linear(x, weight).relu()


class UsesTensor(Hypernetwork):
    def forward(self, x, context):
        weight = self.weights(context).view(3, 8)
        return F.linear(x, weight).relu()


def applied(network, device):
    torch.manual_seed(0)
    inputs = torch.randn(2, 8, device=device), torch.randn(4, device=device)
    return observe(
        network().to(device), [inputs] * 2, backend="aot_eager", fullgraph=True, compare=["eager"]
    )


def symptom(device):
    return applied(MakesParameter, device)


def remedy(device):
    return applied(UsesTensor, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
