import os
from pathlib import Path

import torch

from validators.probes import captured_facts


def logarithm(x):
    return torch.log1p(x)


def instructions(device, **options):
    """How many instructions of the PTX multiply and add, and how many flush subnormal numbers."""
    x = torch.rand(1024, device=device)
    with torch.no_grad():
        torch.compile(logarithm, options=options)(x)
    files = Path(os.environ["TRITON_CACHE_DIR"]).rglob("*.ptx")
    ptx = "\n".join(file.read_text() for file in files)
    return {"fma": ptx.count("fma.rn."), "flushing": ptx.count(".ftz.")}


def symptom(device):
    return captured_facts(ptx=lambda: instructions(device))


def remedy(device):
    option = {"eager_numerics.disable_ftz": True}
    return captured_facts(ptx=lambda: instructions(device, **option))


def shows(report):
    found = report.facts["ptx"]
    assert found["fma"], found
    return found["flushing"] > 0
