"""The function that `torch.func.vjp` returned gives zeros when it is compiled.

cause: unfaithful tracing
issue: pytorch/pytorch#172386
avoid: Call `torch.func.vjp` inside the compiled function.
"""

import torch


def inputs():
    y, pullback = torch.func.vjp(torch.sin, torch.ones(3))
    return pullback, torch.ones(3)


def call(pullback, v):
    return pullback(v)[0]


def instead(pullback, v):
    return torch.func.vjp(torch.sin, torch.ones(3))[1](v)[0]
