import torch

from validators.probes import observe

CALLS = 12
BOUNDS = [0.5 / (step + 2) for step in range(CALLS)]


def clip(x, bound):
    return x.clamp(max=bound) * 2


def symptom(device):
    x = torch.randn(8, 8, device=device)
    return observe(clip, [(x, bound) for bound in BOUNDS], backend="inductor", eager=True)


def remedy(device):
    x = torch.randn(8, 8, device=device)
    bounds = [torch.tensor(bound, device=device) for bound in BOUNDS]
    return observe(clip, [(x, bound) for bound in bounds], backend="inductor")


def shows(report):
    assert report.exception is None, report.exception
    if len(report.graphs) <= 2:
        return False
    found = len(report.graphs), report.eager_calls
    assert found == (8, tuple(range(8, CALLS))), found
    return True
