import copy
import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from validators.probes import captured_facts


class StochasticDepth(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        keep = 1.0 - self.rate
        mask = x.new_empty(x.shape[0], 1).bernoulli_(keep)
        return x * mask.div_(keep)


class Block(torch.nn.Module):
    # A layer of this width fills DDP's first bucket, so that two layers are two parts.
    def __init__(self, rate, width=512):
        super().__init__()
        self.mix = torch.nn.Linear(width, width)
        self.mlp = torch.nn.Linear(width, width)
        self.drop = StochasticDepth(rate)

    def forward(self, x):
        x = x + self.drop(self.mix(x))
        return x + self.drop(self.mlp(x).relu())


def gradients(model, x):
    torch.manual_seed(0)
    model(x).square().mean().backward()
    return [parameter.grad for parameter in model.parameters()]


def train():
    """One step of blocks that are compiled one by one under DDP, in a group of one process."""
    graphs = []
    aot_eager = torch._dynamo.lookup_backend("aot_eager")

    def backend(graph, inputs):
        graphs.append(graph)
        return aot_eager(graph, inputs)

    model, x = torch.nn.Sequential(Block(0.1), Block(0.2)), torch.randn(8, 512)
    expected = gradients(copy.deepcopy(model), x)
    for block in model:
        block.compile(backend=backend)
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            found = gradients(DistributedDataParallel(model), x)
        finally:
            dist.destroy_process_group()
    right = all(map(torch.allclose, found, expected))
    return {"compiled": len(graphs) >= len(model), "gradients_right": right}


def symptom(device):
    return captured_facts(step=train)


def remedy(device):
    with torch._dynamo.config.patch(optimize_ddp=False):
        return captured_facts(step=train)


def shows(report):
    message = report.facts.get("step.message", "")
    refused = "'float' object has no attribute 'meta'" in message and "%submod_" in message
    healthy = report.facts.get("step") == {"compiled": True, "gradients_right": True}
    assert refused or healthy, report.facts
    return refused
