import torch
from torch import nn
from torch._dynamo.decorators import mark_unbacked

from validators.probes import observe


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.norm = nn.Linear(8, 16), nn.BatchNorm1d(16)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.norm(self.body(x)).relu())


def classify(device, mark):
    torch.manual_seed(0)
    model = Classifier().to(device)

    def calls():
        for training in (True, False):
            model.train(training)
            for rows in (4, 6):
                x = torch.randn(rows, 8, device=device)
                mark(x, 0)
                yield (x,)

    compiled = torch.compile(model, backend="eager")
    return observe(lambda x: compiled(x), calls(), compile=lambda step: step)


def symptom(device):
    return classify(device, mark_unbacked)


def remedy(device):
    return classify(device, torch._dynamo.mark_dynamic)


def shows(report):
    assert report.exception is None, report.exception
    whole = [call.compiled for call in report.calls] == [1, 0, 1, 0]
    assert whole != bool(report.graph_breaks), report
    return not whole
