import os
import tempfile
from pathlib import Path

import triton
import triton.language as tl
from triton import knobs

from validators.probes import captured_facts, triton_compiles


@triton.jit
def scale(x_ptr, y_ptr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y_ptr + index, 2 * tl.load(x_ptr + index))


def own_assembler(variable):
    """Name an assembler that keeps a list of what it is asked to assemble."""
    folder = Path(tempfile.mkdtemp())
    tool, asked = folder / "ptxas", folder / "asked"
    real = knobs.nvidia.ptxas_blackwell.path
    tool.write_text(f'#!/bin/sh\necho "$@" >> {asked}\nexec {real} "$@"\n')
    tool.chmod(0o755)
    asked.touch()
    os.environ[variable] = str(tool)
    return asked


def assembled(variable):
    asked = own_assembler(variable)
    signature = {"x_ptr": "*fp32", "y_ptr": "*fp32", "SIZE": "constexpr"}
    facts = {}
    for capability in (80, 90, 100, 121):
        target = ("cuda", capability, 32)
        made = triton_compiles(scale, signature, target=target, constants={"SIZE": 128})
        facts[f"cubin {capability}"] = made.facts["cubin"]
        facts[f"asked {capability}"] = (
            f"--gpu-name={made.facts['ptx_target']} " in asked.read_text()
        )
    return facts


def symptom(device):
    return captured_facts(ptxas=lambda: assembled("TRITON_PTXAS_PATH"))


def remedy(device):
    return captured_facts(ptxas=lambda: assembled("TRITON_PTXAS_BLACKWELL_PATH"))


def shows(report):
    ptxas = report.facts["ptxas"]
    assert all(ptxas[f"cubin {capability}"] for capability in (80, 100, 121)), ptxas
    used = [capability for capability in (80, 100, 121) if ptxas[f"asked {capability}"]]
    assert used in ([80], [100, 121]), used
    return used == [80]
