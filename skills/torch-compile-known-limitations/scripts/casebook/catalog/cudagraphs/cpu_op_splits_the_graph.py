import torch

from validators.probes import graph_partitions


def through_the_cpu(x):
    return (x.sin() + 1).cpu().cos().to(x.device) * 2


def on_the_gpu(x):
    return (x.sin() + 1).cos() * 2


@torch.no_grad()
def compiled(device, function):
    calls = [(torch.randn(64, 128, device=device),)] * 3
    return graph_partitions(function, calls, mode="reduce-overhead")


def symptom(device):
    return compiled(device, through_the_cpu)


def remedy(device):
    return compiled(device, on_the_gpu)


def shows(report):
    assert not report.cudagraphs.skips, report.cudagraphs
    return report.facts["recorded"] == 2 and report.facts["between"] == 1
