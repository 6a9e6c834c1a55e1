import torch

from validators.probes import observe


def embed(x):
    assert x.shape[-1] == 8, "width"
    assert (x >= 0).all(), "negative"
    return x.sqrt() + 1


def run(width, device):
    x = torch.ones(2, width, device=device)
    return observe(embed, [(x,)], fullgraph=True, eager=width != 8)


def symptom(device):
    return run(12, device)


def remedy(device):
    return run(8, device)


def shows(report):
    caught = report.exception
    if caught is None:
        ops = {op for graph in report.graphs for op in graph.targets}
        assert any("assert" in op for op in ops), ops
        assert len(report.graphs) == 1 and report.calls[0].executions == 1, report.calls
        return False
    named = "Data-dependent assertion failed" in caught.message
    line = 'assert x.shape[-1] == 8, "width"' in caught.message
    refused = caught.type.endswith(".Unsupported") and caught.break_id == "GB0034"
    assert refused and named and line, caught
    return True
