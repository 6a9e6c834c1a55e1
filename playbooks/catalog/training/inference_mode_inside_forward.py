import torch
from torch import nn

from validators.probes import observe


class Positions(nn.Module):
    """A frozen encoder with a table of positions."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.register_buffer("table_ND", torch.randn(16, 8))

    def encode(self, x_LD):
        return self.layer(x_LD) + self.table_ND[: x_LD.shape[0]]


class UnderInferenceMode(Positions):
    @torch.inference_mode()
    def forward(self, x_LD):
        return self.encode(x_LD)


class UnderNoGrad(Positions):
    @torch.no_grad()
    def forward(self, x_LD):
        return self.encode(x_LD)


def arm(device, model_class):
    torch.manual_seed(0)
    x_LD = torch.randn(5, 8, device=device)
    model = model_class().to(device)
    return observe(model, [(x_LD,)], backend="aot_eager", fullgraph=True, compare=("eager",))


def symptom(device):
    return arm(device, UnderInferenceMode)


def remedy(device):
    return arm(device, UnderNoGrad)


def shows(report):
    if report.exception is not None:
        assert not report.graphs, report.graphs
        return True
    assert len(report.graphs) == 1 and report.calls[0].difference.eager < 1e-6, report.calls
    return False
