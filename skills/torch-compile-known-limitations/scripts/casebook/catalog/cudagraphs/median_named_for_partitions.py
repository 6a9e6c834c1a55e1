import torch
from torch._inductor import config

from validators.probes import graph_partitions

SKIP = {"triton.cudagraphs": True, "triton.cudagraph_skip_dynamic_graphs": True}


def summary(rows, weight):
    return torch.median(rows), weight @ weight


@torch.no_grad()
def compiled(device):
    rows, weight = (torch.randn(64, 64, device=device) for _ in range(2))
    torch._dynamo.mark_dynamic(rows, 0)
    return graph_partitions(summary, [(rows, weight)] * 3, options=SKIP)


def symptom(device):
    return compiled(device)


def remedy(device):
    with config.patch(custom_should_partition_ops=["aten::median"]):
        return compiled(device)


def shows(report):
    assert report.exception is None, report.exception
    assert not report.cudagraphs.skips, report.cudagraphs
    assert report.facts["recorded"] == 1, report.facts
    return report.facts["between"] == 0
