import torch
from torch import nn

from validators.probes import observe


class Codebook(nn.Module):
    """Compares vectors with codes, which are the first vectors that it gets."""

    def __init__(self, dim=3, codes=4):
        super().__init__()
        self.register_buffer("initted", torch.tensor(False))
        self.register_buffer("codes", torch.zeros(codes, dim))

    def initialize(self, x_ND):
        self.codes.copy_(x_ND[: len(self.codes)])
        self.initted.fill_(True)

    def similarity(self, x_ND):
        return x_ND @ self.codes.T


class InitializedByItself(Codebook):
    def forward(self, x_ND):
        if not self.initted:
            self.initialize(x_ND)
        return self.similarity(x_ND)


class InitializedBefore(Codebook):
    def forward(self, x_ND):
        return self.similarity(x_ND)


def three_calls(kind, device):
    torch.manual_seed(0)
    batches = torch.randn(3, 6, 3, device=device)
    codebook = kind().to(device)
    if kind is InitializedBefore:
        codebook.initialize(batches[0])
    return observe(codebook, [(batch,) for batch in batches], compare=["eager"])


def symptom(device):
    return three_calls(InitializedByItself, device)


def remedy(device):
    return three_calls(InitializedBefore, device)


def shows(report):
    assert report.exception is None and len(report.calls) == 3, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
