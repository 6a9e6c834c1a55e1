import torch

from validators.probes import observe


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x * x * grad


class CubeWithTangent(Cube):
    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return 3 * x * x * tangent


class Model(torch.nn.Module):
    def __init__(self, cube):
        super().__init__()
        self.layer, self.cube = torch.nn.Linear(4, 4), cube

    def forward(self, x):
        return self.cube.apply(self.layer(x).relu()).tanh()


def arm(device, cube):
    torch.manual_seed(0)
    x = torch.randn(2, 4, device=device)
    return observe(Model(cube).to(device), [(x,)] * 2, compare=["eager", "gradients"])


def symptom(device):
    return arm(device, CubeWithTangent)


def remedy(device):
    return arm(device, Cube)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-6, report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and report.executions == (1, 1), report
        return False
    return len(report.graphs) == 3 and report.executions == (3, 3)
