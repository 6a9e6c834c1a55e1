import torch

from validators.probes import observe


def ranked(segments):
    best = sorted(segments, key=lambda segment: segment.sum(), reverse=True)
    return torch.stack(best).cumsum(0)


def ranked_by_argsort(segments):
    stacked = torch.stack(segments)
    order = stacked.sum(dim=1).argsort(descending=True)
    return stacked[order].cumsum(0)


def run(device, forward):
    segments = [torch.full((4,), float(n), device=device) for n in (1, 3, 2)]
    return observe(forward, [(segments,)] * 2, compare=["eager"])


def symptom(device):
    return run(device, ranked)


def remedy(device):
    return run(device, ranked_by_argsort)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and "argsort" in report.graphs[0].targets, report.graphs
        return False
    return "GB0207" in report.break_ids
