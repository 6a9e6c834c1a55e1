import os
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia import compiler
from triton.compiler import ASTSource

from validators.probes import captured_facts


@triton.jit
def scale(source, target):
    at = tl.arange(0, 128)
    tl.store(target + at, 2 * tl.load(source + at))


def hide_the_own_assembler():
    own = Path(compiler.__file__).with_name("bin") / "ptxas"
    try:
        from triton import knobs
    except ImportError:
        return own  # Triton 3.1, outside of `holds`: there it cannot be hidden so simply.
    vars(type(knobs.nvidia))["ptxas"].default_path = "/nowhere/bin/ptxas"
    return own


def compile_scale():
    signature = {"source": "*fp32", "target": "*fp32"}
    made = triton.compile(ASTSource(scale, signature), target=GPUTarget("cuda", 80, 32))
    return bool(made.asm["cubin"])


def symptom(device):
    hide_the_own_assembler()
    os.environ["TRITON_PTXAS_PATH"] = "/usr/local/cuda-0.0/bin/ptxas"
    return captured_facts(cubin=compile_scale)


def remedy(device):
    os.environ["TRITON_PTXAS_PATH"] = str(hide_the_own_assembler())
    return captured_facts(cubin=compile_scale)


def shows(report):
    if "cubin" in report.facts:
        assert report.facts["cubin"], report.facts
        return False
    assert report.facts["cubin.message"] == "Cannot find ptxas", report.facts
    return True
