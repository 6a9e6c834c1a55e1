"""`torch.is_grad_enabled` is true in the `forward` of a `torch.autograd.Function`.

cause: unfaithful tracing
avoid: Write `torch.no_grad` into `forward`.
"""

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * (2 if torch.is_grad_enabled() else 3)

    @staticmethod
    def backward(ctx, g):
        return g * 5


class NoGrad(Scale):
    @staticmethod
    def forward(ctx, x):
        with torch.no_grad():
            return x * (2 if torch.is_grad_enabled() else 3)


def inputs():
    return (torch.ones(3, requires_grad=True),)


def call(x):
    return Scale.apply(x)


def instead(x):
    return NoGrad.apply(x)
