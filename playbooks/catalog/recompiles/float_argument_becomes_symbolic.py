import torch

from validators.probes import observe

SCALES = (0.5, 0.7, 0.9, 1.1, 1.3, 1.5)


def scaled(x, scale):
    return x.sin() * scale


def sweep(device, as_argument):
    x = torch.randn(4, 8, device=device)
    calls = [(x, as_argument(scale)) for scale in SCALES]
    return observe(scaled, calls, backend="aot_eager", compare=["eager"])


def symptom(device):
    return sweep(device, float)


def remedy(device):
    return sweep(device, lambda scale: torch.tensor(scale, device=device))


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-5 for call in report.calls)
    return report.compiled == (1, 1, 0, 0, 0, 0)
