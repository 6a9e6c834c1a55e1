import warnings

import torch

from validators.probes import observe


class Embedding(torch.nn.Module):
    def __init__(self, quiet):
        super().__init__()
        self.table, self.head = torch.nn.Embedding(8, 4), torch.nn.Linear(4, 4)
        self.quiet = quiet

    def forward(self, ids):
        hidden = self.table(ids).relu()
        if self.quiet:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                hidden = self.head(hidden)
        else:
            hidden = self.head(hidden)
        return hidden.sigmoid()


def quiet_outside(model):
    compiled = torch.compile(model, backend="eager")

    def run(ids):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compiled(ids)

    return run


def calls(device):
    return [(torch.arange(4, device=device),)] * 2


def symptom(device):
    return observe(Embedding(quiet=True).to(device), calls(device))


def remedy(device):
    model = Embedding(quiet=False).to(device)
    return observe(model, calls(device), compile=quiet_outside)


def shows(report):
    assert report.exception is None, report.exception
    compiled = {op.rpartition(".")[2] for graph in report.graphs for op in graph.targets}
    return "relu" in compiled and not {"linear", "sigmoid"} & compiled
