import torch
from torch import nn

from validators.probes import observe


def steps(x):
    """Training under autocast, validation without."""
    for _ in range(3):
        with torch.autocast(x.device.type, dtype=torch.bfloat16):
            yield (x,)
        yield (x,)


def always(x):
    for _ in range(6):
        with torch.autocast(x.device.type, dtype=torch.bfloat16):
            yield (x,)


def symptom(device):
    return observe(nn.Linear(8, 8).to(device), steps(torch.randn(4, 8, device=device)))


def remedy(device):
    return observe(nn.Linear(8, 8).to(device), always(torch.randn(4, 8, device=device)))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0, 0, 0)
