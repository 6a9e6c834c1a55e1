import torch
from torch import nn

from validators.probes import captured_facts


def cached(device, present):
    """Look a model up in a cache that holds its compiled form."""
    compiled = torch.compile(nn.Linear(2, 2).to(device), backend="eager")
    return captured_facts(
        present=lambda: present(compiled),
        called=lambda: list(compiled(torch.ones(3, 2, device=device)).shape),
    )


def symptom(device):
    return cached(device, lambda model: True if model else False)  # noqa: SIM210 - users write `if`


def remedy(device):
    return cached(device, lambda model: model is not None)


def shows(report):
    assert report.facts["called"] == [3, 2], report.facts
    if report.facts.get("present") is True:
        return False
    assert "present" not in report.facts, report.facts
    return True
