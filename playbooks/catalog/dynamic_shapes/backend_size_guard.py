import torch
from torch._dynamo.decorators import mark_unbacked

from validators.probes import observe


def pool(x_BTD):
    return x_BTD.mean(1)


def pooled(device, mark):
    calls = []
    for length in (32, 128, 4096, 4097, 8192):
        x_BTD = torch.randn(2, length, 8, device=device)
        mark(x_BTD, 1)
        calls.append((x_BTD,))
    return observe(pool, calls, backend="inductor", compare=("eager",))


def symptom(device):
    return pooled(device, mark=torch._dynamo.mark_dynamic)


def remedy(device):
    return pooled(device, mark=mark_unbacked)


def shows(report):
    return report.compiled == (1, 0, 0, 1, 0)
