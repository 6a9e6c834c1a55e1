import torch
from torch import nn

from validators.probes import observe


class Processor:
    def __init__(self, name, gated):
        self.name = name
        self.gated = gated

    def __call__(self, attention, x):
        y = attention.value(x)
        if self.gated:
            y = y * torch.sigmoid(y)
        return attention.out(y)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.value = nn.Linear(8, 8)
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        return self.processor(self, x)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()

    def forward(self, x):
        return x + self.attention(x)


def compile_each(model):
    for block in model:
        block.compile(backend="eager")
    return model


def give_processors(model, gated):
    for i, block in enumerate(model):
        block.attention.processor = Processor(f"blocks.{i}", gated(i))


@torch.no_grad()
def ten_blocks_twice(device, gated):
    model = nn.Sequential(*(Block() for _ in range(10))).to(device)
    give_processors(model, gated)
    x = torch.ones(2, 4, 8, device=device)

    def calls():
        yield (x,)
        give_processors(model, gated)
        yield (x,)

    # `eager`: past a recompile limit a block runs without a graph, which is for `shows` to judge.
    return observe(model, calls(), compile=compile_each, eager=True, compare=["eager"])


def symptom(device):
    return ten_blocks_twice(device, lambda i: False)


def remedy(device):
    return ten_blocks_twice(device, lambda i: i % 2 == 1)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    executions = [graph.executions for graph in report.graphs]
    if executions == [20]:
        return True
    # A graph for each value, or what was believed: one for each object, up to the limit.
    assert executions in ([10, 10], [1] * 8), executions
    return False
