import functools
import inspect

import torch
from torch import nn

from validators.probes import observe


def by_signature(method):
    """Lets `scale` double what `gain` was given, wherever the caller put it."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        return method(self, bound.arguments["x_BC"], 2 * bound.arguments["gain"])

    return wrapper


class Gained(nn.Module):
    def __init__(self, writes):
        super().__init__()
        self.writes = writes
        self.seen = {"steps": 0}

    @by_signature
    def scale(self, x_BC, gain=2.0):
        return x_BC * gain

    def forward(self, x_BC):
        if self.writes:
            self.seen["steps"] = 1
        return self.scale(x_BC.sin())


def scaled(device, writes):
    torch.manual_seed(0)
    x_BC = torch.randn(2, 4, device=device)
    return observe(Gained(writes), [(x_BC,)] * 2, compare=["eager"])


def symptom(device):
    return scaled(device, writes=True)


def remedy(device):
    return scaled(device, writes=False)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
