"""`torch.func.grad` ignores the `backward` of an autograd function and differentiates `forward`.

cause: unfaithful tracing
issue: pytorch/pytorch#193279
avoid: Use `torch.autograd.grad`.
"""

import torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def inputs():
    return (torch.arange(4.0),)


def call(x):
    return torch.func.grad(lambda v: Sine.apply(v).sum())(x)


def instead(x):
    v = x.detach().requires_grad_()
    return torch.autograd.grad(Sine.apply(v).sum(), v)[0]
