import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from validators.probes import captured_facts


class MLP(torch.nn.Module):
    # Each layer fills a bucket of 1 MiB.
    def __init__(self, width=512, layers=4):
        super().__init__()
        linears = (torch.nn.Linear(width, width) for _ in range(layers))
        self.layers = torch.nn.ModuleList(linears)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


def parts():
    """What the backend compiles for a step of a model that was compiled before DDP wrapped it."""
    linears = []

    def backend(graph, inputs):
        linears.append(str(graph.graph).count("torch._C._nn.linear"))
        return graph.forward

    model = MLP()
    model.compile(backend=backend)
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            wrapped = DistributedDataParallel(model, bucket_cap_mb=1)
            wrapped(torch.randn(4, 512)).square().mean().backward()
        finally:
            dist.destroy_process_group()
    return linears


def symptom(device):
    return captured_facts(linears_of_parts=parts)


def remedy(device):
    with torch._dynamo.config.patch(optimize_ddp=False):
        return captured_facts(linears_of_parts=parts)


def shows(report):
    found = report.facts.get("linears_of_parts")
    assert found in ([1, 1, 1, 1], [4]), report.facts
    return found == [1, 1, 1, 1]
