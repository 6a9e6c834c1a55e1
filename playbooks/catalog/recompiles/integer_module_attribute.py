import torch
from torch import nn

from validators.probes import observe

CALLS = 12


class WarmUp(nn.Module):
    """Scales its output by how often it has been called."""

    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return self.proj(x) * self.steps / 100


class WarmUpOnTensor(WarmUp):
    def __init__(self):
        super().__init__()
        del self.steps
        self.register_buffer("steps", torch.zeros(()))


def symptom(device):
    x = torch.randn(4, 8, device=device)
    return observe(WarmUp().to(device), [(x,)] * CALLS, eager=True)


def remedy(device):
    x = torch.randn(4, 8, device=device)
    return observe(WarmUpOnTensor().to(device), [(x,)] * CALLS)


def shows(report):
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
