import torch

from validators.probes import graph_partitions


def scaled(x, scale):
    return (x.relu() * scale).sum(1)


@torch.no_grad()
def compiled(device, graph_partition):
    calls = [(torch.randn(64, 128, device=device), torch.tensor(2.0)) for _ in range(3)]
    options = {"triton.cudagraphs": True, "graph_partition": graph_partition}
    return graph_partitions(scaled, calls, options=options)


def symptom(device):
    return compiled(device, graph_partition=False)


def remedy(device):
    return compiled(device, graph_partition=True)


def shows(report):
    assert report.exception is None, report.exception
    if report.cudagraphs.skips:
        return all("cpu device" in reason for reason in report.cudagraphs.skips)
    assert report.facts["recorded"] == 1, report.facts
    return False
