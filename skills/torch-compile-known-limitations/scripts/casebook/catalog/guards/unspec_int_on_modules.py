import torch
import torch._dynamo
from torch import nn

from validators.probes import observe

CALLS = 12


class KVCache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(2, 16, 4), persistent=False)
        self.length = 0

    def forward(self, k):
        self.keys[:, self.length : self.length + 1] = k[:, None]
        self.length += 1
        return self.keys / self.length


def decode(device, **options):
    k = torch.randn(2, 4, device=device)
    return observe(KVCache().to(device), [(k,)] * CALLS, **options)


def symptom(device):
    return decode(device, eager=True)


def remedy(device):
    with torch._dynamo.config.patch(allow_unspec_int_on_nn_module=True):
        return decode(device)


def shows(report):
    return len(report.graphs) == 8 and report.eager_calls == tuple(range(8, CALLS))
