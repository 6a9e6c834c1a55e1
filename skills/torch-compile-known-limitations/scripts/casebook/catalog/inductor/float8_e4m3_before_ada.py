import torch
import triton
import triton.language as tl
from torch._inductor.utils import _type_of
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from validators.probes import captured_facts


@triton.jit
def convert(source, target):
    at = tl.arange(0, 1024)
    tl.store(target + at, tl.load(source + at).to(target.dtype.element_ty))


def compiled_for_an_rtx_3090(source, target):
    """What Triton says to a conversion from one dtype to another, "" where it compiles it."""
    signature = {"source": _type_of(source), "target": _type_of(target)}
    try:
        made = triton.compile(ASTSource(convert, signature), target=GPUTarget("cuda", 86, 32))
    except triton.CompilationError as error:
        # Older releases give the reason as the cause.
        return f"{error} {error.__cause__}"
    assert made.asm["cubin"]
    return ""


def both_ways(*dtypes):
    said = {}
    for dtype in dtypes:
        said[f"from {dtype}"] = compiled_for_an_rtx_3090(dtype, torch.float32)
        said[f"to {dtype}"] = compiled_for_an_rtx_3090(torch.float32, dtype)
    return said


def symptom(device):
    return captured_facts(said=lambda: both_ways(torch.float8_e4m3fn))


def remedy(device):
    return captured_facts(said=lambda: both_ways(torch.float8_e5m2, torch.bfloat16))


def shows(report):
    said = list(report.facts["said"].values())
    if not any(said):
        assert len(said) == 4, said
        return False
    refusals = ("fp8e4nv not supported in this", "fp8e4nv data type is not supported on")
    assert len(said) == 2 and all(any(words in text for words in refusals) for text in said), said
    return True
