import torch

from validators.probes import observe


class ScaledInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.zeros_like(x)
        y += 2 * x
        return y

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.zeros_like(x) + 2 * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(1.0, 5.0))
        self.function = function

    def forward(self, x):
        return self.function.apply(x * self.weight).square().sum()


def train(device, function):
    return observe(
        Model(function).to(device),
        [(torch.ones(4, device=device),)] * 2,
        backend="aot_eager",
        fullgraph=True,
        compare=["eager", "gradients"],
    )


def symptom(device):
    return train(device, ScaledInPlace)


def remedy(device):
    return train(device, Scaled)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    far = [call.difference for call in report.calls]
    assert len(far) == 2 and max(it.eager for it in far) < 1e-6, far
    wrong = [it.gradients_eager > 1 for it in far]
    assert all(wrong) or max(it.gradients_eager for it in far) < 1e-6, far
    return all(wrong)
