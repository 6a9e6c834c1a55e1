import torch
from torch.utils.checkpoint import checkpoint

from validators.probes import observe


class Experts(torch.nn.Module):
    """A layer with a router, whose balance is a loss of its own."""

    def __init__(self, keeps):
        super().__init__()
        self.router, self.layer = torch.nn.Linear(8, 2), torch.nn.Linear(8, 8)
        self.keeps, self.balance = keeps, None

    def forward(self, x):
        gates = self.router(x).softmax(-1)
        balance = gates.mean(0).square().sum()
        y = x + self.layer(x).relu() * gates[:, :1]
        if self.keeps:
            self.balance = balance
            return y
        return y, balance


class Model(torch.nn.Module):
    def __init__(self, keeps):
        super().__init__()
        self.experts = Experts(keeps)

    def forward(self, x):
        returned = checkpoint(self.experts, x, use_reentrant=False)
        y, balance = (returned, self.experts.balance) if self.experts.keeps else returned
        return y.square().mean() + 0.01 * balance


def loss(device, keeps):
    torch.manual_seed(0)
    x = torch.randn(4, 8, device=device)
    return observe(
        Model(keeps).to(device),
        [(x,)] * 2,
        backend="aot_eager",
        fullgraph=True,
        compare=["eager", "gradients"],
    )


def symptom(device):
    return loss(device, keeps=True)


def remedy(device):
    return loss(device, keeps=False)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    far = [d for it in report.calls for d in (it.difference.eager, it.difference.gradients_eager)]
    assert len(report.graphs) == 1 and len(far) == 4 and max(far) < 1e-6, report
    return False
