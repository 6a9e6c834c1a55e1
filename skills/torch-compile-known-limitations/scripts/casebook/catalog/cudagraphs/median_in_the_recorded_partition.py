import torch

from validators.probes import graph_partitions

SKIP = {"triton.cudagraphs": True, "triton.cudagraph_skip_dynamic_graphs": True}


def by_median(rows, weight):
    return torch.median(rows), weight @ weight


def by_mean(rows, weight):
    return torch.mean(rows), weight @ weight


@torch.no_grad()
def compiled(device, function):
    rows, weight = (torch.randn(64, 64, device=device) for _ in range(2))
    torch._dynamo.mark_dynamic(rows, 0)
    return graph_partitions(function, [(rows, weight)] * 3, options=SKIP)


def symptom(device):
    return compiled(device, by_median)


def remedy(device):
    return compiled(device, by_mean)


def shows(report):
    assert report.exception is None, report.exception
    assert not report.cudagraphs.skips, report.cudagraphs
    assert report.facts["recorded"] == 1, report.facts
    return report.facts["between"] == 0
