import torch
from torch import nn
from torch.export import export

from validators.probes import captured_facts


class Running(nn.Module):
    """Adds up what it has seen, in an attribute or in a buffer."""

    def __init__(self, buffer, device):
        super().__init__()
        total = torch.zeros(3, device=device)
        if buffer:
            self.register_buffer("total", total)
        else:
            self.total = total

    def forward(self, x):
        self.total = self.total + x
        return self.total * 2


def three_calls(device, buffer):
    x = torch.ones(3, device=device)

    def exported():
        program = export(Running(buffer, device), (x,)).module()
        return [program(x)[0].item() for _ in range(3)]

    def model():
        eager = Running(buffer, device)
        return [eager(x)[0].item() for _ in range(3)]

    return captured_facts(model=model, exported=exported)


def symptom(device):
    return three_calls(device, buffer=False)


def remedy(device):
    return three_calls(device, buffer=True)


def shows(report):
    facts = report.facts
    assert facts["model"] == [2.0, 4.0, 6.0], facts
    if facts.get("exported") == [2.0, 4.0, 6.0]:
        return False
    if "exported" in facts:
        assert facts["exported"] == [2.0, 2.0, 2.0], facts
    else:
        assert "was assigned during export" in facts["exported.message"], facts
    return True
