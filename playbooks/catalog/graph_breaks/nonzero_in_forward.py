import torch
from torch import nn

from validators.probes import observe


class Refiner(nn.Module):
    """Refines the rows whose score is positive, and leaves the others."""

    def __init__(self):
        super().__init__()
        self.refine = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))


class RefinesByNonzero(Refiner):
    def forward(self, x_ND, score_N):
        (rows_R,) = torch.where(score_N > 0)
        return x_ND.index_copy(0, rows_R, self.refine(x_ND[rows_R]))


class RefinesByWhere(Refiner):
    def forward(self, x_ND, score_N):
        return torch.where((score_N > 0)[:, None], self.refine(x_ND), x_ND)


def batches(device, model):
    """Batches of one shape, in which other numbers of rows are refined."""
    torch.manual_seed(0)
    model = model().to(device)
    calls = []
    for refined in (3, 5, 2):
        score_N = torch.where(torch.arange(8) < refined, 1.0, -1.0)[torch.randperm(8)]
        calls.append((torch.randn(8, 8, device=device, requires_grad=True), score_N.to(device)))
    return observe(model, calls, compare=("eager", "gradients"))


def symptom(device):
    return batches(device, RefinesByNonzero)


def remedy(device):
    return batches(device, RefinesByWhere)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-5, report.calls
    return bool(report.graph_breaks) and sum(report.compiled[1:]) > 0
