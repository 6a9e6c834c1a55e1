from functools import partial

import torch
from torch import nn

from validators.probes import compile_blocks, observe


class Block(nn.Module):
    def __init__(self, dilation):
        super().__init__()
        self.dilation = dilation
        self.proj = nn.Linear(8, 8)

    def forward(self, x_BTD):
        return x_BTD + self.proj(x_BTD.roll(self.dilation, dims=1)).relu()


def ten_blocks(device, **options):
    stack = nn.Sequential(*[Block(dilation) for dilation in range(1, 11)]).to(device)
    x_BTD = torch.randn(2, 16, 8, device=device)
    compiling = partial(compile_blocks, stack, "*", backend="eager", **options)
    steps = [compiling, *(partial(block, x_BTD) for block in (*stack, *stack))]
    # `eager`: compiling runs no graph, and past the limit a block has none.
    return observe(lambda step: step(), [(s,) for s in steps], compile=lambda run: run, eager=True)


def symptom(device):
    return ten_blocks(device)


def remedy(device):
    return ten_blocks(device, isolate_recompiles=True)


def shows(report):
    if report.exception is not None:  # a release without the keyword
        return True
    if not report.recompile_limit_hit:
        return report.eager_calls != (0,)
    last_two_of_each_pass = (9, 10, 19, 20)
    return report.eager_calls[1:] == last_two_of_each_pass
