import torch

from validators.probes import observe


def means(x_BTC, chunks):
    B, _, C = x_BTC.shape
    return x_BTC.view(B, chunks, 4, C).mean(2)


def by_div(x_BTC):
    return means(x_BTC, torch.div(x_BTC.shape[1], 4, rounding_mode="floor"))


def by_slashes(x_BTC):
    return means(x_BTC, x_BTC.shape[1] // 4)


def run(function, device):
    torch.manual_seed(0)
    calls = [(torch.randn(2, length, 3, device=device),) for length in (8, 12)]
    return observe(function, calls, dynamic=True, compare=["eager"])


def symptom(device):
    return run(by_div, device)


def remedy(device):
    return run(by_slashes, device)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
