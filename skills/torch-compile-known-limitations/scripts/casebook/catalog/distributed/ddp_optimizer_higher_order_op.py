import copy
import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from validators.probes import captured_facts


class MLP(torch.nn.Module):
    def __init__(self, width=16, layers=3):
        super().__init__()
        linears = (torch.nn.Linear(width, width) for _ in range(layers))
        self.layers = torch.nn.ModuleList(linears)

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False).relu()
        return x


def gradients(model, x):
    model(x).square().mean().backward()
    return [parameter.grad for parameter in model.parameters()]


def train():
    """One step of the compiled DDP wrapper, in a group of one process."""
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph.forward

    model, x = MLP(), torch.randn(4, 16)
    expected = gradients(copy.deepcopy(model), x)
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            wrapped = torch.compile(DistributedDataParallel(model), backend=backend)
            found = gradients(wrapped, x)
        finally:
            dist.destroy_process_group()
    right = all(map(torch.allclose, found, expected))
    return {"graphs": len(graphs), "gradients_right": right}


def symptom(device):
    return captured_facts(step=train)


def remedy(device):
    with torch._dynamo.config.patch(optimize_ddp=False):
        return captured_facts(step=train)


def shows(report):
    message = report.facts.get("step.message", "")
    refused = "DDPOptimizer backend: Found a higher order op in the graph" in message
    assert refused or report.facts.get("step") == {"graphs": 1, "gradients_right": True}, message
    return refused
