import torch

from validators.probes import observe


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, potential):
        ctx.save_for_backward(potential)
        return (potential > 0).float()

    @staticmethod
    def backward(ctx, grad):
        (potential,) = ctx.saved_tensors
        return grad / (1 + potential * potential)


def spike(potential):
    return Spike.apply(potential)


class Neuron(torch.nn.Module):
    def __init__(self, surrogate):
        super().__init__()
        self.layer, self.surrogate = torch.nn.Linear(4, 4), surrogate

    def forward(self, x):
        return self.surrogate(self.layer(x).tanh() - 0.5) * 2


def fire(device, surrogate):
    return observe(Neuron(surrogate).to(device), [(torch.randn(2, 4, device=device),)] * 2)


def symptom(device):
    return fire(device, Spike.apply)


def remedy(device):
    return fire(device, spike)


def shows(report):
    assert report.exception is None, report.exception
    if not report.graph_breaks:
        return False
    compiled = {op for graph in report.graphs for op in graph.targets}
    return not any("tanh" in op or "linear" in op for op in compiled)
