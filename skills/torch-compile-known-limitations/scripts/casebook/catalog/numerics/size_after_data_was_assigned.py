import torch

from validators.probes import observe


class Scaled(torch.nn.Module):
    def __init__(self, through_data):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
        self.through_data = through_data

    def forward(self, x):
        positions = torch.arange(x.shape[0] + 1.0, device=x.device)
        if self.through_data:
            self.table.data = positions
            table = self.table
        else:
            table = positions
        return x * table.sum() / table.shape[0]


def run(device, through_data):
    model = Scaled(through_data).to(device)
    x = torch.ones(7, device=device)
    return observe(model, [(x,)], fullgraph=True, compare=["eager"])


def symptom(device):
    return run(device, through_data=True)


def remedy(device):
    return run(device, through_data=False)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    (far,) = (call.difference.eager for call in report.calls)
    assert far > 1 or far < 1e-6, far
    return far > 1
