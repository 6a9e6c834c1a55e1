import multiprocessing
import os
import re
import sys
import tempfile

import triton
import triton.language as tl
from triton import knobs

from validators.probes import captured_facts, triton_compiles

# Triton's wheel holds two assemblers. A compute capability that only the newer one knows:
UNKNOWN_TO = {"12.8": 121, "12.9": 110}
COMPLAINT = r"(Value '{0}' is not defined for option|PTX version \S+ does not support target '{0}')"


@triton.jit
def scale(x_ptr, y_ptr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y_ptr + index, 2 * tl.load(x_ptr + index))


def compile_into(log, capability):
    os.dup2(log.fileno(), sys.stderr.fileno())
    signature = {"x_ptr": "*fp32", "y_ptr": "*fp32", "SIZE": "constexpr"}
    target = ("cuda", capability, 32)
    made = triton_compiles(scale, signature, target=target, constants={"SIZE": 128})
    print(made.facts.get("message", ""), file=sys.stderr)
    sys.exit(0 if made.facts["cubin"] else 1)


def compile_for_new_gpu():
    # LLVM may end the process, so it is not this one.
    capability = UNKNOWN_TO[knobs.nvidia.ptxas.version]
    fork = multiprocessing.get_context("fork")
    with tempfile.TemporaryFile() as log:
        child = fork.Process(target=compile_into, args=(log, capability))
        child.start()
        child.join()
        log.seek(0)
        said = re.search(COMPLAINT.format(f"sm_{capability}a"), log.read().decode())
    return {"compiled": child.exitcode == 0, "complaint": said[0] if said else ""}


def symptom(device):
    os.environ["TRITON_PTXAS_BLACKWELL_PATH"] = knobs.nvidia.ptxas.path
    return captured_facts(kernel=compile_for_new_gpu)


def remedy(device):
    return captured_facts(kernel=compile_for_new_gpu)


def shows(report):
    kernel = report.facts["kernel"]
    assert kernel["compiled"] == (kernel["complaint"] == ""), kernel
    return not kernel["compiled"]
