import torch

from validators.probes import observe


class ClampInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x < 0)
        return x.clamp_(min=0)

    @staticmethod
    def backward(ctx, grad):
        (below,) = ctx.saved_tensors
        return grad.masked_fill(below, 0)


class ClampAndReturn(ClampInPlace):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x < 0)
        x.clamp_(min=0)
        return x


class Layer(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(-2.0, 2.0))
        self.function = function

    def forward(self, x):
        return self.function.apply(x * self.weight).square().sum()


def train(device, function):
    return observe(
        Layer(function).to(device),
        [(torch.ones(4, device=device),)] * 2,
        backend="aot_eager",
        fullgraph=True,
        compare=["eager", "gradients"],
    )


def symptom(device):
    return train(device, ClampInPlace)


def remedy(device):
    return train(device, ClampAndReturn)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.break_id == "GB2464" and not report.graphs, caught
        return True
    far = [d for it in report.calls for d in (it.difference.eager, it.difference.gradients_eager)]
    assert len(report.graphs) == 1 and max(far) < 1e-6, far
    return False
