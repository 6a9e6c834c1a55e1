import functools

import torch

from validators.probes import observe


@functools.lru_cache
def projection(width, device):
    """Drawn once and kept, or so it is meant."""
    return torch.randn(width, width, device=device)


def features(x, device):
    return (x @ projection(x.shape[-1], device)).relu()


def features_of(x, projection):
    return (x @ projection).relu()


def inputs(device):
    projection(8, device)  # eager has cached it before anything is compiled
    return torch.ones(2, 8, device=device)


def symptom(device):
    x = inputs(device)
    return observe(features, [(x, device)] * 2, compare=["eager"])


def remedy(device):
    x = inputs(device)
    return observe(features_of, [(x, projection(8, device))] * 2, compare=["eager"])


def shows(report):
    """The draw is in a graph that both calls ran, and both results are not eager's."""
    drawn = [g for g in report.graphs if any("randn" in op for op in g.targets)]
    wrong = [call for call in report.calls if call.difference.eager != 0]
    return any(graph.executions == 2 for graph in drawn) and len(wrong) == 2
