import tempfile

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from validators.probes import compile_blocks, observe


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = torch.nn.Linear(width, 2 * width)
        self.down = torch.nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(self.up(x).relu())


class Model(torch.nn.Module):
    def __init__(self, width=16, blocks=3):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block(width) for _ in range(blocks))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


BLOCK_CALL = Model.forward.__code__.co_firstlineno + 2


def shard(model):
    mesh = init_device_mesh("cpu", (1,))
    for block in model.blocks:
        fully_shard(block, mesh=mesh)
    return fully_shard(model, mesh=mesh)


def compiled_outside(model):
    return torch.compile(shard(model), backend="aot_eager")


def compiled_inside(model):
    return shard(compile_blocks(model, "blocks.*", backend="aot_eager"))


def train(compile_and_shard):
    """Two training steps, in a group of one process."""

    def step_of(model):
        compiled = compile_and_shard(model)

        def step(x):
            y = compiled(x)
            y.square().mean().backward()
            return y.detach()

        return step

    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            return observe(Model(), [(torch.randn(4, 16),)] * 2, compile=step_of, compare=["eager"])
        finally:
            dist.destroy_process_group()


def symptom(device):
    return train(compiled_outside)


def remedy(device):
    return train(compiled_inside)


# What the hooks run into, in the words of torch 2.9 to 2.13 and of 2.15.
DISABLE = ("the function `disable`", "Call to `torch._dynamo.disable()`")


def in_loop(found):
    """Whether a break is in a block of the loop: releases differ in how they say so."""
    return found.line == BLOCK_CALL or "frame skipped: forward (" in found.reason


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-5 for call in report.calls)
    at_hooks = [
        found
        for found in report.graph_breaks
        if in_loop(found) and any(words in found.reason for words in DISABLE)
    ]
    assert at_hooks or not report.graph_breaks, report.graph_breaks
    return bool(at_hooks)
