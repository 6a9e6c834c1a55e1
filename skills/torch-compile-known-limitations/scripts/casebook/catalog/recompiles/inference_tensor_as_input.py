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
    if len(report.graphs) == 1:
        return False
    assert all("dispatch key set mismatch" in it.reasons[0] for it in report.recompiles), (
        report.recompiles
    )
    assert [call.compiled for call in report.calls] == [1, 1, 0, 0], report.calls
    return True
