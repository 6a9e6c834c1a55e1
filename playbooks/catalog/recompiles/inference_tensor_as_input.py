import torch

from validators.probes import observe


def center(x):
    return x - x.mean()


def calls(device, made_under):
    with made_under:
        cached = torch.randn(4, 8, device=device)
    fresh = torch.randn(4, 8, device=device)
    return [(fresh,), (cached,), (fresh,), (cached,)]


def symptom(device):
    with torch.no_grad():
        return observe(center, calls(device, torch.inference_mode()))


def remedy(device):
    with torch.no_grad():
        return observe(center, calls(device, torch.no_grad()))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0, 0)
