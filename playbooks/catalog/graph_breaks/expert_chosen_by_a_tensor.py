import torch
from torch.nn.functional import linear

from validators.probes import observe


class Experts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.router = torch.nn.Linear(8, 3, bias=False)
        torch.nn.init.eye_(self.router.weight)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(3))


class ByModule(Experts):
    def forward(self, x):
        chosen = self.router(x).argmax()
        return self.experts[chosen](x).relu()


class ByWeight(Experts):
    def forward(self, x):
        chosen = self.router(x).argmax(keepdim=True)
        weights = torch.stack([expert.weight for expert in self.experts])
        biases = torch.stack([expert.bias for expert in self.experts])
        weight, bias = weights.index_select(0, chosen)[0], biases.index_select(0, chosen)[0]
        return linear(x, weight, bias).relu()


def run(device, model):
    calls = [(torch.eye(8, device=device)[choice],) for choice in range(3)]
    return observe(model.to(device).eval(), calls, fullgraph=True, compare=["eager"])


def symptom(device):
    return run(device, ByModule())


def remedy(device):
    return run(device, ByWeight())


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 3, report.graphs
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    return False
