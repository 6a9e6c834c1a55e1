import torch
import torch._dynamo.config
from torch import nn

from validators.probes import observe

LENGTHS = (*range(2, 12), 2, 11)  # ten lengths, then the first and the last of them again


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu()


def run(device, **options):
    batches = [(torch.ones(length, 4, device=device),) for length in LENGTHS]
    return observe(Layer().to(device), batches, dynamic=False, **options)


def symptom(device):
    # `eager`: it is the claim that some of the calls run without a graph.
    return run(device, eager=True)


@torch._dynamo.config.patch(recompile_limit=16)
def remedy(device):
    return run(device)


def shows(report):
    ninth_tenth_and_last = (8, 9, 11)
    return report.exception is None and report.eager_calls == ninth_tenth_and_last
