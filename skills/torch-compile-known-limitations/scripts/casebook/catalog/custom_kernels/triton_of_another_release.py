import torch
from triton.compiler import compiler

from validators.probes import captured_facts


def first_call(device):
    torch.manual_seed(0)
    model = torch.nn.Linear(16, 16).to(device)
    x = torch.ones(4, 16, device=device)
    return (torch.compile(model)(x) - model(x)).abs().max().item()


def symptom(device):
    # Triton 3.5 has it elsewhere.
    vars(compiler).pop("triton_key", None)
    return captured_facts(difference=lambda: first_call(device))


def remedy(device):
    return captured_facts(difference=lambda: first_call(device))


def shows(report):
    said = report.facts.get("difference.message", "")
    if not said:
        assert report.facts["difference"] < 1e-4, report.facts
        return False
    assert "cannot import name 'triton_key' from 'triton.compiler.compiler'" in said, said
    return True
