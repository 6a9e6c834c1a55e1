import torch
from torch import nn
from torch._inductor import config

from validators.probes import observe


def step(device):
    """Two training forwards; each run of a call starts from the same seed."""
    layer = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 4))
    x = torch.randn(8, 16, device=device)
    return observe(layer.to(device), [(x,), (x,)], backend="inductor", compare=("eager",))


def symptom(device):
    return step(device)


def remedy(device):
    with config.patch(fallback_random=True):
        return step(device)


def shows(report):
    far = [call.difference.eager for call in report.calls]
    assert max(far) < 1e-5 or min(far) > 1e-3, far
    return min(far) > 1e-3
