import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


class Scale(nn.Module):
    """Scales each row by a gain; `rows` is what the gains were allocated for."""

    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def forward(self, x):
        gains = torch.ones(self.rows or x.shape[0], 1, device=x.device)
        return x * 2 + gains


def exported_batch(device, rows):
    x = torch.randn(3, 8, device=device)

    def served_sizes():
        program = export(Scale(rows), (x,), dynamic_shapes=({0: Dim("batch", max=128)},)).module()
        return [len(program(x.new_zeros(size, 8))) for size in (2, 128)]

    return captured_facts(served_sizes=served_sizes)


def symptom(device):
    return exported_batch(device, rows=3)


def remedy(device):
    return exported_batch(device, rows=None)


def shows(report):
    message = report.facts.get("served_sizes.message")
    if message is not None:
        assert "Constraints violated (batch)" in message and "constant (3)" in message, message
        return True
    return report.facts["served_sizes"] != [2, 128]
