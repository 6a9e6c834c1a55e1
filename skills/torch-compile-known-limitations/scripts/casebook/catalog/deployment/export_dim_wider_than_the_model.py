import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


class Positions(nn.Module):
    """A table of 128 positions, of which a sequence takes the first ones."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(128, 4))

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class Skip(nn.Module):
    """Half the size and back, added to what came in, as in a U-Net: even heights only."""

    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 3, 3, stride=2, padding=1)

    def forward(self, x):
        return x + nn.functional.interpolate(self.down(x), scale_factor=2)


def exported(device, length, height):
    def positions():
        x = torch.zeros(2, 16, 4, device=device)
        program = export(Positions().to(device), (x,), dynamic_shapes=({1: length},)).module()
        return [program(x.new_zeros(2, size, 4)).shape[1] for size in (16, 100)]

    def skip():
        x = torch.zeros(1, 3, 32, 32, device=device)
        program = export(Skip().to(device), (x,), dynamic_shapes=({2: height},)).module()
        return [program(x.new_zeros(1, 3, size, 32)).shape[2] for size in (32, 50)]

    return captured_facts(positions=positions, skip=skip)


def symptom(device):
    return exported(device, Dim("length", max=512), Dim("height", min=8, max=1024))


def remedy(device):
    return exported(device, Dim("length", max=128), 2 * Dim("half", min=4, max=512))


def shows(report):
    facts = report.facts
    if facts.get("positions") == [16, 100] and facts.get("skip") == [32, 50]:
        return False
    refusals = [facts[f"{name}.message"] for name in ("positions", "skip")]
    assert all("satisfy the generated guard" in refusal for refusal in refusals), facts
    return True
