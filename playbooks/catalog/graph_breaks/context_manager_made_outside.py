import torch

from validators.probes import observe


class Frozen(torch.nn.Module):
    """An encoder that is not trained; it decides once what its forward pass runs under."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.context = torch.no_grad()


class MadeOutside(Frozen):
    def forward(self, x):
        y = x.relu() + 1
        with self.context:
            y = self.layer(y)
        return (y + x).tanh()


class MadeInside(Frozen):
    def forward(self, x):
        y = x.relu() + 1
        with torch.no_grad():
            y = self.layer(y)
        return (y + x).tanh()


def run(module, device):
    calls = [(torch.ones(2, 4, device=device),)] * 2
    return observe(module.to(device), calls, compare=["eager"])


def symptom(device):
    return run(MadeOutside(), device)


def remedy(device):
    return run(MadeInside(), device)


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    ops = {op for graph in report.graphs for op in graph.targets}
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and {"relu", "tanh"} <= ops, ops
        return False
    return "relu" in ops and "tanh" not in ops
