import torch

from validators.probes import observe


def gated(flag, x):
    return torch.cond(flag, torch.sin, torch.cos, (x + 1,)) * 2


def selected(flag, x):
    return torch.where(flag, torch.sin(x + 1), torch.cos(x + 1)) * 2


@torch.no_grad()
def compiled(device, function):
    # A flag on the GPU would have to be read; torch skips for the operands alone.
    calls = [(torch.tensor(True), torch.randn(64, 128, device=device))] * 3
    return observe(function, calls, backend="inductor", mode="reduce-overhead")


def symptom(device):
    return compiled(device, gated)


def remedy(device):
    return compiled(device, selected)


def shows(report):
    assert report.exception is None, report.exception
    return any("torch.cond" in reason for reason in report.cudagraphs.skips)
