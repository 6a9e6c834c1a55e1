import torch

from validators.probes import observe


def guarded_inside(x):
    y = x.relu() * 2
    try:
        if not torch.isfinite(y).all():
            raise FloatingPointError("not finite")
    except FloatingPointError:
        y = torch.nan_to_num(y)
    return (y + x).tanh()


def without_try(x):
    y = x.relu() * 2
    if not torch.isfinite(y).all():
        y = torch.nan_to_num(y)
    return (y + x).tanh()


def run(step, device):
    return observe(step, [(torch.ones(4, device=device),)] * 2, compare=["eager"])


def symptom(device):
    return run(guarded_inside, device)


def remedy(device):
    return run(without_try, device)


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    ops = {op for graph in report.graphs for op in graph.targets}
    assert report.graph_breaks and "relu" in ops, (report.graph_breaks, ops)
    return "tanh" not in ops
