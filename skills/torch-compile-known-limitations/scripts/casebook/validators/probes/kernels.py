"""Triton kernels compiled for a GPU that the machine need not have."""

from __future__ import annotations

import re
from typing import Any

from validators.probes.report import Fact, Report
from validators.probes.text import clean, qualified


def triton_compiles(
    kernel: Any,
    signature: dict[str, str],
    *,
    target: tuple[str, int, int] = ("cuda", 100, 32),
    constants: dict[str, Any] | None = None,
) -> Report:
    """Compile a `@triton.jit` kernel, which must stand in a file, for a named target.

    `signature` gives each parameter's Triton type ("*fp32", "i32"; "constexpr" for those in
    `constants`). `target` is backend, architecture (100 is compute capability 10.0) and warp size.
    Facts: "ptx_target" (the PTX's `.target`, such as "sm_100a"; "" without PTX), "cubin" (whether
    the assembler accepted it), "triton" (its version), and, if the compilation raised, "exception"
    and "message". Raises ImportError without Triton.
    """
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    facts: dict[str, Fact] = {"triton": str(triton.__version__), "ptx_target": "", "cubin": False}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants or {})
    try:
        made = triton.compile(source, target=GPUTarget(*target))
    except Exception as error:
        failure = {"exception": qualified(type(error)), "message": clean(str(error))}
        return Report(facts={**facts, "ptx_target": ptx_target(str(error)), **failure})
    facts["ptx_target"] = ptx_target(str(made.asm.get("ptx", "")))
    facts["cubin"] = bool(made.asm.get("cubin"))
    return Report(facts=facts)


def ptx_target(ptx: str) -> str:
    """The architecture in PTX (`.target sm_100a`) or in an assembler's command line, else ""."""
    found = re.search(r"(?:^\s*\.target\s+|--gpu-name=)(\w+)", ptx, re.MULTILINE)
    return found[1] if found else ""
