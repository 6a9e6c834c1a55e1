import torch

from validators.probes import captured_facts


class Projector(torch.nn.Module):
    """Features of an image encoder, brought to the width of a language model."""

    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(5)
        self.up = torch.nn.Linear(width, 4)

    def forward(self, features):
        return self.up(self.norm(features)).relu()


def call(device, width):
    model = Projector(width).to(device)
    features = torch.ones(2, 5, device=device)
    return captured_facts(
        eager=lambda: list(model(features).shape),
        compiled=lambda: list(torch.compile(model, backend="eager")(features).shape),
    )


def symptom(device):
    return call(device, width=4)


def remedy(device):
    return call(device, width=5)


def shows(report):
    facts = report.facts
    if "compiled" in facts:
        assert facts["compiled"] == facts["eager"] == [2, 4], facts
        return False
    assert facts["eager.exception"] == "RuntimeError", facts
    return (
        facts["compiled.exception"] == "torch._dynamo.exc.TorchRuntimeError"
        and "FakeTensor" in facts["compiled.message"]
        and "same reduction dim, but got [2, 5] X [4, 4]" in facts["compiled.message"]
        and "cannot be multiplied (2x5 and 4x4)" in facts["eager.message"]
    )
