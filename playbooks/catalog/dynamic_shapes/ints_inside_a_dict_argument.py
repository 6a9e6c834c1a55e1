import torch

from validators.probes import observe

# The ints change one after the other, then all at once.
SIZES = ((4, 5, 6), (7, 5, 6), (7, 8, 6), (7, 8, 9), (3, 6, 7), (8, 4, 5))


def scaled(x, batch):
    return x * batch["scale"] + batch["step"] - batch["shift"]


def run(device, **options):
    x = torch.randn(4, 8, device=device)
    calls = [(x, dict(zip(("scale", "step", "shift"), sizes, strict=True))) for sizes in SIZES]
    return observe(scaled, calls, compare=("eager",), **options)


def symptom(device):
    return run(device)


def remedy(device):
    return run(device, dynamic=True)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-4 for call in report.calls), report.calls
    assert sum(report.compiled) in (1, 4), report.compiled
    return report.compiled == (1, 1, 1, 1, 0, 0)
