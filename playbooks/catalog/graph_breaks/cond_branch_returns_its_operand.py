import torch

from validators.probes import observe


def scaled(x):
    return x / x.abs().max()


def limited(untouched):
    def limit(x):
        return torch.cond(x.abs().max() > 1, scaled, untouched, (x,))

    return limit


def both_ways(untouched, device):
    calls = [(torch.full((3,), value, device=device),) for value in (0.5, 4.0)]
    return observe(limited(untouched), calls, backend="aot_eager", compare=["eager"])


def symptom(device):
    return both_ways(lambda x: x, device)


def remedy(device):
    return both_ways(lambda x: x.clone(), device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager == 0 for call in report.calls), report
    return False
