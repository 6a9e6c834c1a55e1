import torch
from torch import nn

from validators.probes import observe


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        return self.linear(x).relu()


def in_the_call(model):
    return lambda x: torch.compile(model, backend="eager")(x)


def compiled(device, model, **options):
    x = torch.randn(3, 4, device=device)
    return observe(model.to(device), [(x,), (x,)], compile=in_the_call, **options)


def symptom(device):
    return compiled(device, torch.jit.script(Head()), eager=True)


def remedy(device):
    return compiled(device, Head())


def shows(report):
    if report.exception is not None:
        return not report.graphs
    if report.executions == (1, 1):
        return False
    assert report.executions == (0, 0) and not report.graphs, report.executions
    return True
