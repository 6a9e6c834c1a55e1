import torch
from torch import nn

from validators.probes import observe

PROCESSORS = []


class Processor:
    """Adds the residual in all blocks but the first one that was made."""

    def __init__(self):
        PROCESSORS.append(self)

    def __call__(self, attention, x):
        y = attention(x)
        return y if self is PROCESSORS[0] else x + y


class FlaggedProcessor:
    def __init__(self):
        self.first = not PROCESSORS
        PROCESSORS.append(self)

    def __call__(self, attention, x):
        y = attention(x)
        return y if self.first else x + y


class Block(nn.Module):
    def __init__(self, processor):
        super().__init__()
        self.attention = nn.Linear(8, 8)
        self.processor = processor

    def forward(self, x):
        return self.processor(self.attention, x)


@torch.no_grad()
def four_blocks(device, processor):
    PROCESSORS.clear()
    blocks = [Block(processor()).to(device) for _ in range(4)]
    x = torch.ones(2, 8, device=device)

    def compile_each(run):
        for block in blocks:
            block.compile(backend="eager")
        return run

    # A function and no module: a module is copied for the comparison, and a copy is another object.
    return observe(
        lambda i, x: blocks[i](x),
        [(i, x) for i in range(4)],
        compile=compile_each,
        compare=["eager"],
    )


def symptom(device):
    return four_blocks(device, Processor)


def remedy(device):
    return four_blocks(device, FlaggedProcessor)


def shows(report):
    assert report.exception is None, report.exception
    off = [call.difference.eager for call in report.calls]
    executions = [graph.executions for graph in report.graphs]
    if max(off) < 1e-5:
        # A graph for each value of the bool, or one for each object.
        assert executions in ([1, 3], [1, 1, 1, 1]), executions
        return False
    # All but the first lack the residual, which is one everywhere.
    assert off[0] < 1e-5 and all(abs(d - 1) < 1e-5 for d in off[1:]), off
    return executions == [4]
