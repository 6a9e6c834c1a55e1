import torch
from torch._dynamo import mark_dynamic

from validators.probes import observe


def scale(x):
    return x * 2 + 1


def run(device, **bounds):
    """Sizes up to 64, and one beyond."""
    calls = []
    for size in (8, 64, 65):
        x = torch.randn(size, 4, device=device)
        mark_dynamic(x, 0, **bounds)
        calls.append((x,))
    return observe(scale, calls)


def symptom(device):
    return run(device, min=2, max=64)


def remedy(device):
    return run(device)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.call == 2, caught
        return caught.type.endswith(".ConstraintViolationError")
    return [call.compiled for call in report.calls] != [1, 0, 0]
