import torch
from torch import nn

from validators.probes import observe


def mixed(x_BD, up_DF, down_FD):
    return x_BD + torch.tanh(x_BD @ up_DF) @ down_FD


class RecomputedByBackward(torch.autograd.Function):
    """Keeps the inputs of `mixed` alone, and computes the rest again in the backward pass."""

    @staticmethod
    def forward(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return mixed(*inputs)

    @staticmethod
    def backward(ctx, grad):
        inputs = [saved.detach().requires_grad_() for saved in ctx.saved_tensors]
        with torch.enable_grad():
            output = mixed(*inputs)
        torch.autograd.backward(output, grad)
        return tuple(given.grad for given in inputs)


class RecomputedByVjp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return mixed(*inputs)

    @staticmethod
    def backward(ctx, grad):
        _, pullback = torch.func.vjp(mixed, *ctx.saved_tensors)
        return pullback(grad)


class Model(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.up = nn.Parameter(torch.randn(8, 16) / 3)
        self.down = nn.Parameter(torch.randn(16, 8) / 4)

    def forward(self, x_BD):
        return self.function.apply(x_BD * 2, self.up, self.down).square()


def train(device, function):
    torch.manual_seed(0)
    model = Model(function).to(device)
    calls = [(torch.randn(4, 8, device=device, requires_grad=True),) for _ in range(2)]
    return observe(model, calls, compare=("eager", "gradients"))


def symptom(device):
    return train(device, RecomputedByBackward)


def remedy(device):
    return train(device, RecomputedByVjp)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-4, report.calls
    return bool(report.graph_breaks)
