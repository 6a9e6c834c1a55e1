import torch

from validators.probes import observe


class ScaledGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 0.1


def scale(gradient):
    return gradient * 0.1


class Model(torch.nn.Module):
    def __init__(self, hook):
        super().__init__()
        self.encoder, self.head = torch.nn.Linear(8, 8), torch.nn.Linear(8, 3)
        self.hook = hook

    def forward(self, x):
        hidden = self.encoder(x).relu()
        if self.hook:
            hidden.register_hook(scale)
        else:
            hidden = ScaledGradient.apply(hidden)
        return self.head(hidden).square().sum()


def scaled(device, hook):
    torch.manual_seed(0)
    x = torch.randn(4, 8, device=device)
    return observe(
        Model(hook).to(device), [(x,)] * 2, backend="aot_eager", compare=["eager", "gradients"]
    )


def symptom(device):
    return scaled(device, hook=True)


def remedy(device):
    return scaled(device, hook=False)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    far = [d for it in report.calls for d in (it.difference.eager, it.difference.gradients_eager)]
    assert max(far) < 1e-6, far
    assert bool(report.graph_breaks) == (len(report.graphs) != 1), report
    return bool(report.graph_breaks)
