import torch

from validators.probes import observe


def windows(x):
    y = x.relu()
    torch._check(y.shape[0] >= 4, lambda: f"too short for a window: {y.shape}")
    return y.unfold(0, 4, 1).mean(-1)


def windows_without_message(x):
    y = x.relu()
    torch._check(y.shape[0] >= 4)
    return y.unfold(0, 4, 1).mean(-1)


def run(device, forward):
    x = torch.arange(6.0, device=device)
    return observe(forward, [(x,)] * 2, compare=["eager"])


def symptom(device):
    return run(device, windows)


def remedy(device):
    return run(device, windows_without_message)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and "unfold" in report.graphs[0].targets, report.graphs
        return False
    return len(report.graphs) == 2
