import torch
import triton
import triton.language as tl

from validators.probes import captured_facts


@triton.jit
def product(one, other, target, PRECISION: tl.constexpr):
    at = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    result = tl.dot(tl.load(one + at), tl.load(other + at), input_precision=PRECISION)
    tl.store(target + at, result)


def instructions(device, precision):
    """Whether the PTX of the kernel multiplies in TF32, and whether it does in float32."""
    torch.set_float32_matmul_precision("highest")
    a, b, target = (torch.rand(64, 64, device=device) for _ in range(3))
    ptx = product[(1,)](a, b, target, precision).asm["ptx"]
    tf32 = any(mark in ptx for mark in (".tf32", "::tf32"))
    return {"tf32": tf32, "float32": "fma.rn.f32" in ptx}


def symptom(device):
    # None is the default of `tl.dot`.
    return captured_facts(ptx=lambda: instructions(device, None))


def remedy(device):
    return captured_facts(ptx=lambda: instructions(device, "ieee"))


def shows(report):
    found = report.facts["ptx"]
    assert found["tf32"] is not found["float32"], found
    return found["tf32"]
