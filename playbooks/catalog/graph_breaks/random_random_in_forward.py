import random

import torch

from validators.probes import observe


def by_random(x):
    y = x.relu() + 1
    return (y * random.random()).tanh()


def by_uniform(x):
    y = x.relu() + 1
    return (y * random.uniform(0.0, 1.0)).tanh()


def seeded(step):
    def run(x, seed):
        random.seed(seed)
        return step(x)

    return run


def run(step, device):
    compiled = torch.compile(step, backend="eager")
    calls = [(torch.ones(4, device=device), seed) for seed in range(3)]
    return observe(seeded(by_random), calls, compile=lambda _: seeded(compiled), compare=["eager"])


def symptom(device):
    return run(by_random, device)


def remedy(device):
    return run(by_uniform, device)


def shows(report):
    assert report.exception is None, report.exception
    # A number that the graph holds as a constant would be another one than eager mode's.
    assert not any(call.difference.eager for call in report.calls), report.calls
    drawn = [b for b in report.graph_breaks if "Random.random" in b.reason]
    if not drawn:
        assert len(report.graphs) == 1 and not report.graph_breaks, report.graph_breaks
        return False
    return drawn[0].id == "GB0007" and len(report.graphs) > 1
