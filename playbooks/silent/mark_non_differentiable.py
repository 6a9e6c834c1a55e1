"""`mark_non_differentiable` in a `torch.autograd.Function` is ignored: the result requires grad.

cause: unfaithful tracing
issue: pytorch/pytorch#118396
avoid: Detach the result.
"""

import torch


class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y, z = x * 2, x * 3
        ctx.mark_non_differentiable(z)
        return y, z

    @staticmethod
    def backward(ctx, g, _):
        return g * 2


def inputs():
    return (torch.ones(3, requires_grad=True),)


def call(x):
    y, z = Split.apply(x)
    return y, z, z.requires_grad


def instead(x):
    y, z = Split.apply(x)
    z = z.detach()
    return y, z, z.requires_grad
