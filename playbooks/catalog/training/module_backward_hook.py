import torch

from validators.probes import observe


class ClippedGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient.clamp(-0.01, 0.01)


def clip(module, gradients_in, gradients_out):
    return tuple(None if g is None else g.clamp(-0.01, 0.01) for g in gradients_in)


class Head(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.encoder, self.head = torch.nn.Linear(8, 8), torch.nn.Linear(8, 3)
        self.function = function
        if not function:
            self.head.register_full_backward_hook(clip)

    def forward(self, x):
        hidden = self.encoder(x).relu()
        if self.function:
            hidden = ClippedGradient.apply(hidden)
        return self.head(hidden).square().sum()


def clipped(device, function):
    torch.manual_seed(0)
    x = torch.randn(4, 8, device=device)
    return observe(
        Head(function).to(device),
        [(x,)] * 2,
        backend="aot_eager",
        compare=["eager", "gradients"],
    )


def symptom(device):
    return clipped(device, function=False)


def remedy(device):
    return clipped(device, function=True)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    far = [d for it in report.calls for d in (it.difference.eager, it.difference.gradients_eager)]
    assert max(far) < 1e-6, far
    assert bool(report.graph_breaks) == (len(report.graphs) != 1), report
    return bool(report.graph_breaks)
