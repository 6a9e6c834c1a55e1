import torch

from validators.probes import observe


class Filterbank(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bands = torch.nn.Linear(8, 4)

    def forward(self, spectrum):
        return (self.bands(spectrum).square() + 1e-3).log()


class Classifier(torch.nn.Module):
    def __init__(self, wrap):
        super().__init__()
        self.filterbank = wrap(Filterbank())
        self.head = torch.nn.Linear(4, 2)

    def forward(self, spectrum):
        return self.head(self.filterbank(spectrum)).softmax(-1)


def scores(wrap, device):
    torch.manual_seed(0)
    spectrum = torch.rand(3, 8, device=device)
    model = Classifier(wrap).to(device)
    return observe(model, [(spectrum,)] * 2, fullgraph=True, compare=["eager"])


def symptom(device):
    return scores(torch.jit.script, device)


def remedy(device):
    return scores(lambda module: module, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
