import random

import torch

from validators.probes import observe


def by_random(x):
    y = x.relu() + 1
    return (y * random.random()).tanh()


def by_argument(x, scale):
    y = x.relu() + 1
    return (y * scale).tanh()


def drawn_inside(step):
    def run(x, seed):
        random.seed(seed)
        return step(x)

    return run


def drawn_outside(step):
    def run(x, seed):
        random.seed(seed)
        return step(x, torch.tensor(random.random(), device=x.device))

    return run


def run(device, step, wrap):
    compiled = torch.compile(step, backend="eager")
    calls = [(torch.ones(4, device=device), seed) for seed in range(3)]
    return observe(wrap(step), calls, compile=lambda _: wrap(compiled), compare=["eager"])


def symptom(device):
    return run(device, by_random, drawn_inside)


def remedy(device):
    return run(device, by_argument, drawn_outside)


def shows(report):
    assert report.exception is None, report.exception
    # A number that the graph holds as a constant would be another one than eager mode's.
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks) and len(report.graphs) > 1
