import os
from pathlib import Path

import torch

from validators.probes import captured_facts


def scaled(a, b, c):
    return a * b + c


def instructions(device, **options):
    """How often each instruction stands in the PTX of the kernel."""
    given = [torch.rand(1024, device=device) for _ in range(3)]
    with torch.no_grad():
        torch.compile(scaled, options=options)(*given)
    files = Path(os.environ["TRITON_CACHE_DIR"]).rglob("*.ptx")
    ptx = "\n".join(file.read_text() for file in files)
    return {name: ptx.count(f"{name}.") for name in ("fma", "mul.rn", "add.rn")}


def symptom(device):
    return captured_facts(ptx=lambda: instructions(device))


def remedy(device):
    return captured_facts(ptx=lambda: instructions(device, emulate_precision_casts=True))


def shows(report):
    found = report.facts["ptx"]
    assert found["fma"] or (found["mul.rn"] and found["add.rn"]), found
    return found["fma"] > 0
