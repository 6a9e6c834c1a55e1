import os
import tempfile
from pathlib import Path

import triton
import triton.language as tl
from triton.backends import nvidia
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from validators.probes import captured_facts

# Says that it is CUDA 13.0, and takes what that one would take: PTX 9.0.
CUDA_13 = """#!/bin/sh
if [ "$1" = --version ]; then
    echo "Cuda compilation tools, release 13.0, V13.0.48"
    exit
fi
for argument; do
    case $argument in *.ptx) sed -i 's/^.version 9.0/.version 8.0/' "$argument" ;; esac
done
exec {own} "$@"
"""


@triton.jit
def scale(source, target):
    at = tl.arange(0, 128)
    tl.store(target + at, 2 * tl.load(source + at))


def compile_scale():
    signature = {"source": "*fp32", "target": "*fp32"}
    made = triton.compile(ASTSource(scale, signature), target=GPUTarget("cuda", 80, 32))
    return bool(made.asm["cubin"])


def symptom(device):
    own = Path(nvidia.__path__[0]) / "bin" / "ptxas"
    newer = Path(tempfile.mkdtemp()) / "ptxas"
    newer.write_text(CUDA_13.format(own=own))
    newer.chmod(0o755)
    os.environ["TRITON_PTXAS_PATH"] = str(newer)
    return captured_facts(cubin=compile_scale)


def remedy(device):
    os.environ.pop("TRITON_PTXAS_PATH", None)
    return captured_facts(cubin=compile_scale)


def shows(report):
    if "cubin" in report.facts:
        assert report.facts["cubin"], report.facts
        return False
    said = report.facts["cubin.message"]
    assert said.startswith("Triton only support CUDA 10.0 or higher"), said
    return True
