import torch
from torch import nn

from validators.probes import observe

CALLS = 12


class Progress:
    def __init__(self):
        self.steps = 0


class WarmUp(nn.Module):
    """Scales its output by the progress it is given, or by its own."""

    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.progress = Progress()

    def forward(self, x, progress=None):
        progress = progress or self.progress
        progress.steps += 1
        return self.proj(x) * progress.steps / 100


def symptom(device):
    x = torch.randn(4, 8, device=device)
    return observe(WarmUp().to(device), [(x,)] * CALLS, eager=True)


def remedy(device):
    x, progress = torch.randn(4, 8, device=device), Progress()
    return observe(WarmUp().to(device), [(x, progress)] * CALLS)


def shows(report):
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
