import torch
from torch import nn

from validators.probes import observe


class Recorded(nn.Module):
    """Asks what to record, then computes under `try ... finally`, as model libraries do."""

    def __init__(self, bound):
        super().__init__()
        torch.manual_seed(0)
        self.layer = nn.Linear(4, 4)
        self.bound = bound
        self.wanted = {"hidden": True, "attention": False}

    def forward(self, x_BC):
        recorded = {name: getattr(self, name, False) for name in self.wanted}
        try:
            return self.bound(self.layer(x_BC).relu())
        finally:
            recorded.clear()


def by_branch(y_BC):
    if y_BC.norm() > 1:
        y_BC = y_BC / y_BC.norm()
    return y_BC * 2


def by_clamp(y_BC):
    return y_BC / y_BC.norm().clamp(min=1) * 2


def run(bound, device):
    model = Recorded(bound).to(device)
    return observe(model, [(torch.ones(3, 4, device=device),)] * 2, compare=["eager"])


def symptom(device):
    return run(by_branch, device)


def remedy(device):
    return run(by_clamp, device)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1, report.graphs
        return False
    # The tensor's `if` breaks at one line, the comprehension at another.
    return len({graph_break.line for graph_break in report.graph_breaks}) == 2
