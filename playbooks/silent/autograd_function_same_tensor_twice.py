"""A `torch.autograd.Function` applied to the same tensor twice gets only one of its two gradients.

cause: unfaithful tracing
issue: pytorch/pytorch#183604
avoid: Pass `x.view_as(x)` as the second argument.
"""

import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        return gradient * y, gradient * x


def inputs():
    return (torch.arange(1.0, 4.0, requires_grad=True),)


def call(x):
    return Product.apply(x, x)


def instead(x):
    return Product.apply(x, x.view_as(x))
