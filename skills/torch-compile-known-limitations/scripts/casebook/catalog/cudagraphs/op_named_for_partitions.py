import torch
from torch._inductor import config

from validators.probes import graph_partitions


@torch.library.custom_op("casebook::attend", mutates_args=())
def attend(x: torch.Tensor) -> torch.Tensor:
    return x.softmax(-1)


attend.register_fake(torch.empty_like)


def layer(x):
    return attend(x.sin() + 1) * 2


@torch.no_grad()
def compiled(device):
    calls = [(torch.randn(64, 128, device=device),)] * 3
    return graph_partitions(layer, calls, mode="reduce-overhead")


def symptom(device):
    return compiled(device)


def remedy(device):
    with config.patch(custom_should_partition_ops=["casebook::attend"]):
        return compiled(device)


def shows(report):
    return report.facts["between"] == 0
