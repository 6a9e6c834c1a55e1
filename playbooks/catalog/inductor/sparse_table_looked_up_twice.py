import torch
from torch import nn

from validators.probes import captured_facts


class Pairs(nn.Module):
    """Scores pairs of items by the rows of one table with sparse gradients."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 4, sparse=True)

    def forward(self, items, others):
        return (self.table(items) * self.table(others)).sum()


class OneLookup(Pairs):
    def forward(self, items, others):
        left, right = self.table(torch.stack((items, others))).unbind()
        return (left * right).sum()


def gradient(model, function, device):
    model.zero_grad()
    items = torch.tensor([[1, 2], [3, 1]], device=device)
    function(items, items + 1).backward()
    return model.table.weight.grad


def train(device, kind):
    model = kind().to(device)
    expected = gradient(model, model, device).to_dense()

    def step():
        compiled = torch.compile(model, backend="inductor")
        seen = gradient(model, compiled, device)
        return {"sparse": seen.is_sparse, "agrees": torch.allclose(seen.to_dense(), expected)}

    return captured_facts(step=step)


def symptom(device):
    return train(device, Pairs)


def remedy(device):
    return train(device, OneLookup)


def shows(report):
    facts = report.facts
    assert "step.exception" in facts or facts["step"] == {"sparse": True, "agrees": True}, facts
    return "step.exception" in facts
