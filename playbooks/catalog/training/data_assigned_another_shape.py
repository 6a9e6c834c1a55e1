import torch
from torch.nn.functional import linear

from validators.probes import observe


class Gathered(torch.nn.Module):
    """A layer that holds a part of its weight, and has all of it only while it runs."""

    def __init__(self, through_data):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(0))
        self.bias = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("parts", torch.arange(8.0))
        self.through_data = through_data

    def forward(self, x):
        whole = self.parts.reshape(2, 4).clone()
        if not self.through_data:
            return linear(x, whole, self.bias).relu().sum()
        self.weight.data = whole
        return linear(x, self.weight, self.bias).relu().sum()


def train(device, through_data):
    model = Gathered(through_data).to(device)
    return observe(
        model,
        [(torch.ones(3, 4, device=device),)] * 2,
        backend="aot_eager",
        fullgraph=True,
        compare=["eager"],
    )


def symptom(device):
    return train(device, through_data=True)


def remedy(device):
    return train(device, through_data=False)


def shows(report):
    if report.exception is not None:
        assert not report.graphs, report.graphs
        return True
    assert len(report.graphs) == 1, report.graphs
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    return False
