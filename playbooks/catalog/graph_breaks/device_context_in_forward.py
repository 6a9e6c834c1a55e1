import torch

from validators.probes import observe


def positions_in_context(x_BTC):
    with torch.device(x_BTC.device):
        steps_T = torch.arange(x_BTC.shape[1])
    return x_BTC + steps_T[:, None].sin()


def positions_by_argument(x_BTC):
    steps_T = torch.arange(x_BTC.shape[1], device=x_BTC.device)
    return x_BTC + steps_T[:, None].sin()


def encoded(function, device):
    torch.manual_seed(0)
    x = torch.randn(2, 5, 4, device=device)
    return observe(function, [(x,)] * 2, fullgraph=True, compare=["eager"])


def symptom(device):
    return encoded(positions_in_context, device)


def remedy(device):
    return encoded(positions_by_argument, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
