import torch
from torch._dynamo import config

from validators.probes import captured_facts


def graphs_of_three_sizes(limit, device):
    """How many graphs three static sizes get, where the option named `limit` is set to 2."""
    graphs = []

    def counting(graph, _):
        graphs.append(graph)
        return graph

    @torch.compile(backend=counting, dynamic=False)
    def scale(x):
        return x * 2

    setattr(config, limit, 2)
    for size in (4, 5, 6):
        scale(torch.ones(size, device=device))
    return len(graphs)


def symptom(device):
    return captured_facts(limited=lambda: graphs_of_three_sizes("recompile_limit", device))


def remedy(device):
    return captured_facts(limited=lambda: graphs_of_three_sizes("cache_size_limit", device))


def shows(report):
    if "limited" in report.facts:
        assert report.facts["limited"] == 2, report.facts
        return False
    assert report.facts["limited.exception"] == "AttributeError", report.facts
    return "recompile_limit does not exist" in report.facts["limited.message"]
