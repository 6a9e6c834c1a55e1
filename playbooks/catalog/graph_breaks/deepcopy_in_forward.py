import copy

import torch

from validators.probes import observe


def attend(query, cache):
    cache["key"].add_(query)
    return torch.tanh(query @ cache["key"].T) @ cache["value"]


def deep_copied(x, cache):
    """Tries a token out: what it adds must not reach the caller's cache."""
    query = x.relu() + 1
    return attend(query, copy.deepcopy(cache))


def cloned(x, cache):
    query = x.relu() + 1
    return attend(query, {name: tensor.clone() for name, tensor in cache.items()})


def run(step, device):
    cache = {name: torch.ones(4, 8, device=device) for name in ("key", "value")}
    return observe(step, [(torch.ones(1, 8, device=device), cache)] * 2, compare=["eager"])


def symptom(device):
    return run(deep_copied, device)


def remedy(device):
    return run(cloned, device)


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1, report.graphs
        assert not report.mutated_inputs, report.mutated_inputs
        return False
    return len(report.graphs) == 2
