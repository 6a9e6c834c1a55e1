import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from validators.probes import captured_facts

WIDTH = 128
CONSTEXPR_WIDTH = tl.constexpr(128)


@triton.jit
def scale_by_plain(source, target):
    at = tl.program_id(0) * WIDTH + tl.arange(0, 128)
    tl.store(target + at, 2 * tl.load(source + at))


@triton.jit
def scale_by_constexpr(source, target):
    at = tl.program_id(0) * CONSTEXPR_WIDTH + tl.arange(0, 128)
    tl.store(target + at, 2 * tl.load(source + at))


def compiled(kernel):
    signature = {"source": "*fp32", "target": "*fp32"}
    try:
        made = triton.compile(ASTSource(kernel, signature), target=GPUTarget("cuda", 80, 32))
    except triton.CompilationError as error:
        return {"cubin": False, "said": str(error)}
    return {"cubin": bool(made.asm["cubin"]), "said": ""}


def symptom(device):
    return captured_facts(kernel=lambda: compiled(scale_by_plain))


def remedy(device):
    return captured_facts(kernel=lambda: compiled(scale_by_constexpr))


def shows(report):
    kernel = report.facts["kernel"]
    if kernel["cubin"]:
        return False
    assert "Cannot access global variable WIDTH from within" in kernel["said"], kernel
    return True
