import tempfile
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

from validators.probes import observe


class MLP(torch.nn.Module):
    def __init__(self, width=16, layers=3):
        super().__init__()
        linears = (torch.nn.Linear(width, width) for _ in range(layers))
        self.layers = torch.nn.ModuleList(linears)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


def step(model):
    def run(x):
        model.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        return loss.detach()

    return run


def train(rank, folder, parallel):
    """Two training steps of one of two processes, with gradients reduced between them."""
    dist.init_process_group(
        "gloo",
        init_method=f"file://{folder}/store",
        rank=rank,
        world_size=2,
        timeout=timedelta(seconds=60),
    )
    try:
        calls = [(torch.randn(4, 16),)] * 2
        return observe(MLP(), calls, compile=lambda model: step(parallel(model)))
    finally:
        dist.destroy_process_group()


def train_on_two(parallel):
    """The report of rank 0, with rank 1 in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        other = mp.get_context("fork").Process(
            target=train, args=(1, folder, parallel), daemon=True
        )
        other.start()
        try:
            return train(0, folder, parallel)
        finally:
            other.join(timeout=10)
            other.kill()


def compiled_outside(model):
    return torch.compile(DistributedDataParallel(model), backend="aot_eager")


def compiled_inside(model):
    model.compile(backend="aot_eager")
    return DistributedDataParallel(model)


def symptom(device):
    return train_on_two(compiled_outside)


def remedy(device):
    return train_on_two(compiled_inside)


def shows(report):
    linears = [graph.targets.get("torch._C._nn.linear", 0) for graph in report.graphs]
    assert sorted(linears)[-1] == sum(linears) == 3, linears
    return bool(report.graph_breaks)
