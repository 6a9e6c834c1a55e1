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
    if len(report.graphs) == 1:
        return False
    assert all("task == 'task_" in it.reasons[0] for it in report.recompiles), report.recompiles
    found = len(report.graphs), report.eager_calls
    assert found == (8, tuple(range(8, len(TASKS)))), found
    return True
