import torch

from validators.probes import observe


def masked(x_BT, mask_BT=None):
    return x_BT if mask_BT is None else x_BT * mask_BT


def whole(function):
    return torch.compile(function, backend="eager")


def where_needed(function):
    compiled = torch.compile(function, backend="eager")
    return lambda x_BT, mask_BT=None: x_BT if mask_BT is None else compiled(x_BT, mask_BT)


def run(device, way):
    """A call with an op, a call that returns its input, and the first one again, twice."""
    torch.manual_seed(0)
    x_BT = torch.randn(2, 6, device=device)
    some, none = (x_BT, torch.ones_like(x_BT)), (x_BT,)
    return observe(masked, [some, none, some, some], compile=way, eager=True)


def symptom(device):
    return run(device, whole)


def remedy(device):
    return run(device, where_needed)


def shows(report):
    assert report.exception is None and not report.graph_breaks and len(report.graphs) == 1, report
    if report.executions == (1, 0, 0, 0):
        return True
    assert report.executions == (1, 0, 1, 1), report.executions
    return False
