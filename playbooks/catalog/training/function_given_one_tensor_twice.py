import torch

from validators.probes import observe


class ScaledProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, left, right):
        ctx.save_for_backward(left, right)
        return left * right

    @staticmethod
    def backward(ctx, grad):
        left, right = ctx.saved_tensors
        return grad * right, grad * left


class Model(torch.nn.Module):
    def __init__(self, separate):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(1.0, 5.0))
        self.separate = separate

    def forward(self, x):
        hidden = x * self.weight
        other = hidden.view_as(hidden) if self.separate else hidden
        return ScaledProduct.apply(hidden, other).sum()


def train(device, separate):
    x = torch.arange(1.0, 5.0, device=device)
    return observe(
        Model(separate).to(device),
        [(x,)] * 2,
        backend="aot_eager",
        compare=["eager", "gradients"],
    )


def symptom(device):
    return train(device, separate=False)


def remedy(device):
    return train(device, separate=True)


def shows(report):
    assert report.exception is None, report.exception
    far = [call.difference for call in report.calls]
    assert max(it.eager for it in far) < 1e-6, far
    wrong = [it.gradients_eager for it in far if it.gradients_eager > 1e-3]
    if wrong:
        assert len(wrong) == 2 and len(report.graphs) == 1, (far, report.graph_breaks)
        return True
    assert bool(report.graph_breaks) == (len(report.graphs) != 1), report
    return bool(report.graph_breaks)
