import torch
from torch._inductor import list_mode_options

from validators.probes import captured_facts


def squares(x):
    return x * x


def compiled(device, **choice):
    x = torch.arange(3.0, device=device)
    return captured_facts(outputs=lambda: torch.compile(squares, **choice)(x).tolist())


def symptom(device):
    return compiled(device, mode="max-autotune-no-cudagraphs", options={"epilogue_fusion": False})


def remedy(device):
    options = list_mode_options("max-autotune-no-cudagraphs") | {"epilogue_fusion": False}
    return compiled(device, options=options)


def shows(report):
    facts = report.facts
    if facts.get("outputs") == [0.0, 1.0, 4.0]:
        return False
    assert facts["outputs.message"].startswith("Either mode or options can be specified"), facts
    return True
