import torch
import torch._dynamo.config
from torch import nn

from validators.probes import observe


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu()


def run(device):
    batches = [(torch.ones(length, 4, device=device),) for length in range(2, 12)]
    # `eager`: past the limit there is no graph to run.
    return observe(Layer().to(device), batches, dynamic=False, eager=True)


def symptom(device):
    return run(device)


@torch._dynamo.config.patch(fail_on_recompile_limit_hit=True)
def remedy(device):
    return run(device)


def shows(report):
    error = report.exception
    told = error is not None and error.type == "torch._dynamo.exc.FailOnRecompileLimitHit"
    return report.recompile_limit_hit and not (told and error.call == 8)
