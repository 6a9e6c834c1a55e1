import torch
from torch import nn

from validators.probes import observe


class Patch:
    """What a LoRA adds to one weight, looked up when it is needed."""

    def __init__(self, key, deltas):
        self.key = key
        self.deltas = deltas

    def __call__(self, weight):
        return weight + self.deltas[self.key]


class ResolvedPatch:
    def __init__(self, key, deltas):
        self.delta = deltas[key]

    def __call__(self, weight):
        return weight + self.delta


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.weight_function = []

    def forward(self, x):
        weight = self.proj.weight
        for function in self.weight_function:
            weight = function(weight)
        return nn.functional.linear(x, weight, self.proj.bias)


def compile_each(model):
    for block in model:
        block.compile(backend="eager")
    return model


@torch.no_grad()
def ten_blocks(device, patch):
    model = nn.Sequential(*(Block() for _ in range(10))).to(device)
    deltas = {f"blocks.{i}.proj.weight": torch.ones(8, 8, device=device) for i in range(10)}
    for block, key in zip(model, deltas, strict=True):
        block.weight_function.append(patch(key, deltas))
    x = torch.ones(2, 4, 8, device=device)
    return observe(model, [(x,)], compile=compile_each)


def symptom(device):
    return ten_blocks(device, Patch)


def remedy(device):
    return ten_blocks(device, ResolvedPatch)


def shows(report):
    assert report.exception is None, report.exception
    # Two of the ten blocks are left without a graph.
    return len(report.graphs) == 8 and report.calls[0].executions == 8
