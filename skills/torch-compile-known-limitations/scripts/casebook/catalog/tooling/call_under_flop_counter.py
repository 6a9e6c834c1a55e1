import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from validators.probes import observe


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        return self.linear(x).relu()


def counted(pick):
    """Steps of a compiled model, in the second of which the FLOPs of what `pick` names count."""

    def compile_it(model):
        compiled = torch.compile(model, backend="eager")
        steps = []

        def step(x):
            steps.append(x)
            if len(steps) != 2:
                return compiled(x)
            with FlopCounterMode(display=False):
                return pick(model, compiled)(x)

        return step

    return compile_it


def train(device, pick):
    x = torch.randn(3, 4, device=device)
    steps = [(x,)] * 4
    return observe(Head().to(device), steps, compile=counted(pick), eager=True)


def symptom(device):
    return train(device, lambda model, compiled: compiled)


def remedy(device):
    return train(device, lambda model, compiled: model)


def shows(report):
    assert report.exception is None, report.exception
    executed = [call.executions for call in report.calls]
    assert executed in ([1, 0, 1, 1], [1, 0, 0, 0]), executed
    return executed == [1, 0, 0, 0]
