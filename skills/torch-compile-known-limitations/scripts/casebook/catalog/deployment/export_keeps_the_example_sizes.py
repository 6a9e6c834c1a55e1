import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


def serve(device, **options):
    """Export with two samples as the example, and send four."""
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
    program = export(model, (torch.randn(2, 4, device=device),), **options).module()
    four = torch.randn(4, 4, device=device)

    def answered():
        torch.testing.assert_close(program(four), model(four))
        return "as the model"

    return captured_facts(
        two=lambda: list(program(four[:2]).shape),
        four=answered,
    )


def symptom(device):
    return serve(device)


def remedy(device):
    return serve(device, dynamic_shapes=({0: Dim("batch", max=1024)},))


def shows(report):
    facts = report.facts
    assert facts["two"] == [2, 2], facts
    if facts.get("four") == "as the model":
        return False
    message = facts["four.message"]
    assert "size()[0] == 2" in message or "to be equal to 2, but got 4" in message, facts
    return True
