"""`mark_dirty` in a `torch.autograd.Function` is ignored: the gradient misses the in-place change.

cause: unfaithful tracing
issue: pytorch/pytorch#133491
avoid: Return a new tensor from `forward`.
"""

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(3)

    @staticmethod
    def backward(ctx, g):
        return g * 3


def inputs():
    return (torch.ones(3, requires_grad=True),)


def call(x):
    y = x * 2
    Scale.apply(y)
    return y * 5


def instead(x):
    return x * 2 * 3 * 5
