import functools

import torch
from torch import nn

from validators.probes import observe


def halved(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) / 2

    return wrapper


compiled = torch.compile(backend="eager")


class Distillation(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(8, 4)
        self.teacher = nn.Linear(8, 4)

    def forward(self, x):
        return (self.predicted(x) - self.wanted(x)).square().mean()


class DecoratedAbove(Distillation):
    @halved
    @compiled
    def predicted(self, x):
        return self.student(x)

    @torch.no_grad()
    @compiled
    def wanted(self, x):
        return self.teacher(x)


class NoneAbove(Distillation):
    @halved
    def predicted(self, x):
        return self.student(x)

    @compiled
    def wanted(self, x):
        with torch.no_grad():
            return self.teacher(x)


def distill(device, model):
    torch.manual_seed(0)
    model = model().to(device)
    calls = [(torch.randn(4, 8, device=device),) for _ in range(2)]
    return observe(model, calls, compare=("eager", "gradients"))


def symptom(device):
    return distill(device, DecoratedAbove)


def remedy(device):
    return distill(device, NoneAbove)


def shows(report):
    assert report.exception is None and not report.graph_breaks, report
    assert all(call.executions == 1 for call in report.calls), report.calls
    far = [(call.difference.eager, call.difference.gradients_eager) for call in report.calls]
    # The teacher has a gradient in the compiled run alone: no number tells how far that is.
    wrong = [loss > 0.01 and gradient > 0.01 for loss, gradient in far]
    assert len(set(wrong)) == 1 and (wrong[0] or max(map(max, far)) < 1e-5), far
    return wrong[0]
