import torch
from torch import nn
from torch.export import export

from validators.probes import captured_facts


class Unrolled(nn.Module):
    """As many turns as the data say."""

    def forward(self, x, turns):
        for _ in range(turns.item()):
            x = x * 0.5 + 1
        return x


class Bounded(nn.Module):
    """Always 8 turns, of which those beyond the data's number change nothing."""

    def forward(self, x, turns):
        for turn in range(8):
            x = torch.where(turn < turns, x * 0.5 + 1, x)
        return x


def exported(device, model):
    x = torch.zeros(3, device=device)

    def results(program):
        return [program(x, torch.tensor(turns, device=device))[0].item() for turns in (4, 2, 6)]

    return captured_facts(
        eager=lambda: results(model),
        exported=lambda: results(export(model, (x, torch.tensor(4, device=device))).module()),
    )


def symptom(device):
    return exported(device, Unrolled())


def remedy(device):
    return exported(device, Bounded())


def shows(report):
    facts = report.facts
    assert facts["eager"] == [1.875, 1.5, 1.96875], facts
    if facts.get("exported") == facts["eager"]:
        return False
    assert "Could not extract specialized integer" in facts["exported.message"], facts
    return True
