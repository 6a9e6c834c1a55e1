import torch

from validators.probes import observe


class Scorer(torch.nn.Module):
    """A score for each token of sentences of different lengths."""

    def __init__(self):
        super().__init__()
        self.mix, self.score = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)

    def forward(self, sentences):
        return self.score(self.mix(sentences).relu())


def scores(device, layout):
    torch.manual_seed(0)
    model = Scorer().to(device)
    compiled = torch.compile(model, backend="eager", fullgraph=True)

    def one_by_one(*sentences):
        return [model(sentence) for sentence in sentences]

    def as_batch(*sentences):
        return list(compiled(torch.nested.nested_tensor(list(sentences), layout=layout)).unbind())

    sentences = [torch.randn(length, 4, device=device) for length in (2, 3, 5)]
    return observe(one_by_one, [sentences] * 2, compile=lambda _: as_batch, compare=["eager"])


def symptom(device):
    return scores(device, torch.strided)


def remedy(device):
    return scores(device, torch.jagged)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    return False
