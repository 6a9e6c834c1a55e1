import torch
from torch import nn

from validators.probes import observe


class Captures(nn.Module):
    """Keeps the output of its layer by a hook, and adds it."""

    def __init__(self, early):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.hooked = False
        self.kept = []
        if early:
            self.install()

    def install(self):
        self.hooked = True
        self.layer.register_forward_hook(self.keep)

    def keep(self, module, args, output):
        self.kept.append(output)

    def forward(self, x_BC):
        self.kept = []
        if not self.hooked:
            self.install()
        y_BC = self.layer(x_BC)
        return y_BC + self.kept[0]


def captured(device, early):
    torch.manual_seed(0)
    model = Captures(early).to(device)
    return observe(model, [(torch.randn(2, 4, device=device),)] * 3, compare=["eager"])


def symptom(device):
    return captured(device, early=False)


def remedy(device):
    return captured(device, early=True)


def shows(report):
    assert report.exception is None and len(report.calls) == 3, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1, report.graphs
        return False
    return report.compiled[1] > 0
