import torch
from torch._dynamo import config

from validators.probes import observe


class Potential(torch.nn.Module):
    """An energy, and the forces that are its gradient by the positions."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 1)

    def forward(self, positions_N3):
        energy = self.layer(positions_N3).tanh().sum()
        (gradient_N3,) = torch.autograd.grad(energy, positions_N3, create_graph=True)
        return energy, -gradient_N3


def forces(device, trace):
    torch.manual_seed(0)
    model = Potential().to(device)
    positions_N3 = torch.randn(5, 3, device=device).requires_grad_()
    with config.patch(trace_autograd_ops=trace):
        return observe(
            model,
            [(positions_N3,)],
            backend="aot_eager",
            fullgraph=True,
            compare=["eager", "gradients"],
        )


def symptom(device):
    return forces(device, trace=False)


def remedy(device):
    return forces(device, trace=True)


def shows(report):
    if report.exception is not None:
        assert not report.graphs, report.graphs
        return True
    far = report.calls[0].difference
    return max(far.eager, far.gradients_eager) > 1e-5 or len(report.graphs) != 1
