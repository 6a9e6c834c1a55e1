import torch

from validators.probes import captured_facts


class AssignsData(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cos", torch.linspace(0, 1, 8).cos())

    def forward(self, x):
        self.cos.data = self.cos.data.to(x.dtype)
        return x * self.cos


class CastsToLocal(AssignsData):
    def forward(self, x):
        return x * self.cos.to(x.dtype)


def facts(model, device):
    x = torch.randn(4, 8, dtype=torch.bfloat16, device=device)
    expected = model().to(device)(x)

    def matches(**options):
        y = torch.compile(model().to(device), backend="aot_eager", **options)(x)
        return y.dtype is x.dtype and torch.allclose(y, expected, rtol=0.01)

    return captured_facts(
        right_in_one_graph=lambda: matches(fullgraph=True), right_by_default=matches
    )


def symptom(device):
    return facts(AssignsData, device)


def remedy(device):
    return facts(CastsToLocal, device)


# Releases until 2.8 ran the assignment on fake tensors; later ones break the graph before it.
REFUSALS = ("Could not set tensor of type", "Failed to mutate tensor data attribute")


def shows(report):
    message = report.facts.get("right_in_one_graph.message", "")
    refused = any(words in message for words in REFUSALS)
    assert refused or report.facts.get("right_in_one_graph") is True, report.facts
    assert refused or report.facts.get("right_by_default") is True, report.facts
    return refused
