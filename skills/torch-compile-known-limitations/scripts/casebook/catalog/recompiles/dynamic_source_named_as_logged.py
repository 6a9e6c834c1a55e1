from functools import partial

import torch
from torch import nn

from validators.probes import compile_blocks, observe


class Block(nn.Module):
    """Scales down what it adds by its number, as GPT-2 does on request."""

    def __init__(self, layer_idx):
        super().__init__()
        self.layer_idx = layer_idx
        self.proj = nn.Linear(8, 8)

    def forward(self, x_BTD):
        return x_BTD + self.proj(x_BTD).relu() / (self.layer_idx + 1)


@torch.no_grad()
def ten_blocks(device, dynamic_sources):
    stack = nn.Sequential(*[Block(layer_idx) for layer_idx in range(10)]).to(device)
    x_BTD = torch.randn(2, 16, 8, device=device)
    compiling = partial(compile_blocks, stack, "*", backend="eager")
    steps = [compiling, *(partial(block, x_BTD) for block in (*stack, *stack))]
    with torch.compiler.config.patch(dynamic_sources=dynamic_sources):
        # `eager`: compiling runs no graph, and past the limit a block has none.
        return observe(
            lambda step: step(), [(step,) for step in steps], compile=lambda run: run, eager=True
        )


def symptom(device):
    return ten_blocks(device, "self.layer_idx")


def remedy(device):
    return ten_blocks(device, "L['self'].layer_idx")


def shows(report):
    assert report.exception is None, report.exception
    if not report.recompile_limit_hit:
        assert report.eager_calls == (0,), report.eager_calls
        return len(report.graphs) != 1
    reasons = [reason for recompile in report.recompiles for reason in recompile.reasons]
    assert all("self.layer_idx == " in reason for reason in reasons), reasons
    last_two_of_each_pass = (9, 10, 19, 20)
    return len(report.graphs) == 8 and report.eager_calls[1:] == last_two_of_each_pass
