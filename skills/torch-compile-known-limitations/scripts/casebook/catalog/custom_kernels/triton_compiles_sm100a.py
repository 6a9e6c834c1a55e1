import triton
import triton.language as tl
from triton.backends.nvidia import compiler as nvidia

from validators.probes import triton_compiles

TO_FP4 = "{ .reg .b8 pair; cvt.rn.satfinite.e2m1x2.f32 pair, $1, $1; cvt.u32.u8 $0, pair; }"


@triton.jit
def quantize(x_ptr, y_ptr, ASM: tl.constexpr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    x = tl.load(x_ptr + index)
    y = tl.inline_asm_elementwise(ASM, "=r,f", [x], dtype=tl.uint32, is_pure=True, pack=1)
    tl.store(y_ptr + index, y)


def compile_for_blackwell():
    signature = {"x_ptr": "*fp32", "y_ptr": "*u32", "ASM": "constexpr", "SIZE": "constexpr"}
    constants = {"ASM": TO_FP4, "SIZE": 128}
    return triton_compiles(quantize, signature, target=("cuda", 100, 32), constants=constants)


def symptom(device):
    nvidia.sm_arch_from_capability = lambda capability: f"sm_{capability}"
    return compile_for_blackwell()


def remedy(device):
    return compile_for_blackwell()


def shows(report):
    if report.facts["ptx_target"] == "sm_100a":
        return not report.facts["cubin"]
    return "not supported on .target 'sm_100'" in report.facts.get("message", "")
