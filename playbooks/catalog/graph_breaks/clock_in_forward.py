import time

import torch

from validators.probes import observe


class Timed(torch.nn.Module):
    """Adds up the seconds that its matrix product takes."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.seconds = 0.0

    def forward(self, x):
        start = time.perf_counter()
        y = self.layer(x).relu()
        self.seconds += time.perf_counter() - start
        return (y + x).tanh()


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.layer(x).relu()
        return (y + x).tanh()


def timed_outside(block):
    compiled = torch.compile(block, backend="eager")
    seconds = []

    def step(x):
        start = time.perf_counter()
        y = compiled(x)
        seconds.append(time.perf_counter() - start)
        return y

    return step


def calls(device):
    return [(torch.ones(2, 4, device=device),)] * 3


def symptom(device):
    return observe(Timed().to(device), calls(device))


def remedy(device):
    return observe(Block().to(device), calls(device), compile=timed_outside)


def shows(report):
    assert report.exception is None, report.exception
    if not report.graph_breaks:
        assert report.compiled == (1, 0, 0), report.compiled
        return False
    readings = {b.line for b in report.graph_breaks}
    return len(readings) == 2 and report.compiled[1] > 0 and report.executions == (2, 2, 2)
