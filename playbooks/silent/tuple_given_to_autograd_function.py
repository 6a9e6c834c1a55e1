"""A `torch.autograd.Function` that gets a tuple of tensors returns a result that requires grad.

cause: unfaithful tracing
avoid: Detach the result.
"""

import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pair):
        return pair[0] * pair[1]

    @staticmethod
    def backward(ctx, g):
        return None


def inputs():
    return torch.ones(3, requires_grad=True), torch.ones(3)


def call(x, y):
    return Product.apply((x, y)).requires_grad


def instead(x, y):
    return Product.apply((x, y)).detach().requires_grad
