import random

import torch

from validators.probes import observe


def by_random(x):
    y = x.relu() + 1
    return (y * random.random()).tanh()


def by_uniform(x):
    y = x.relu() + 1
    return (y * random.uniform(0.0, 1.0)).tanh()


def run(step, device):
    calls = [(torch.ones(4, device=device),)] * 3
    return observe(step, calls)


def symptom(device):
    return run(by_random, device)


def remedy(device):
    return run(by_uniform, device)


def shows(report):
    assert report.exception is None, report.exception
    drawn = [b for b in report.graph_breaks if "Random.random" in b.reason]
    if not drawn:
        assert len(report.graphs) == 1 and not report.graph_breaks, report.graph_breaks
        return False
    return drawn[0].id == "GB0007" and len(report.graphs) > 1
