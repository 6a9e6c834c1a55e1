import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


class Shifted(nn.Module):
    """Adds positions, which it makes for each length anew or keeps by length."""

    def __init__(self, keep):
        super().__init__()
        self.keep, self.kept = keep, {}

    def positions(self, length, device):
        if not self.keep:
            return torch.arange(length, device=device)
        if length not in self.kept:
            self.kept[length] = torch.arange(length, device=device)
        return self.kept[length]

    def forward(self, x):
        return x + self.positions(x.shape[1], x.device)


def exported(device, keep):
    x = torch.zeros(2, 5, device=device)
    shapes = ({1: Dim("length", max=64)},)

    def last():
        program = export(Shifted(keep), (x,), dynamic_shapes=shapes, strict=False).module()
        return [program(x.new_zeros(2, length))[0, -1].item() for length in (5, 9)]

    return captured_facts(last=last)


def symptom(device):
    return exported(device, keep=True)


def remedy(device):
    return exported(device, keep=False)


def shows(report):
    facts = report.facts
    if facts.get("last") == [4.0, 8.0]:
        return False
    assert facts["last.message"].startswith("unhashable type: non-nested SymInt"), facts
    return True
