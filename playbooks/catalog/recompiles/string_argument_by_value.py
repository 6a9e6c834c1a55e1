import torch
from torch import nn

from validators.probes import observe

TASKS = [f"task_{number}" for number in range(12)]


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.ParameterDict({task: nn.Parameter(torch.ones(8)) for task in TASKS})

    def forward(self, x, task):
        return torch.relu(x * self.scale[task])


def scaled(x, scale):
    return torch.relu(x * scale)


def symptom(device):
    x = torch.randn(4, 8, device=device)
    return observe(Adapter().to(device), [(x, task) for task in TASKS], eager=True)


def remedy(device):
    x = torch.randn(4, 8, device=device)
    scale = Adapter().to(device).scale
    return observe(scaled, [(x, scale[task]) for task in TASKS])


def shows(report):
    assert report.exception is None, report.exception
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, len(TASKS)))
