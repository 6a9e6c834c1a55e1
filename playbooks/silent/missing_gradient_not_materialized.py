"""`set_materialize_grads(False)` has no effect: a missing gradient is zeros and not `None`.

cause: unfaithful tracing
issue: pytorch/pytorch#118396
"""

import torch


class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        return a * 2 if b is None else a * 2 + 100


def inputs():
    return (torch.ones(3, requires_grad=True),)


def call(x):
    return Two.apply(x)[0]
