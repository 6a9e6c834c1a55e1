import multiprocessing

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from validators.probes import captured_facts


@triton.jit
def double(x_ptr):
    index = tl.arange(0, 128)
    tl.store(x_ptr + index, 2 * tl.load(x_ptr + index))


@triton.jit
def add_up(x_ptr):
    row = tl.load(x_ptr + tl.arange(0, 128))
    tl.store(x_ptr, tl.sum(row, axis=0))


def compiles(kernel, capability):
    # LLVM may end the process, so it is not this one.
    source, target = ASTSource(kernel, {"x_ptr": "*fp32"}), GPUTarget("cuda", capability, 32)
    fork = multiprocessing.get_context("fork")
    child = fork.Process(target=triton.compile, args=(source, target))
    child.start()
    child.join()
    return child.exitcode == 0


def compile_for(capability):
    return captured_facts(
        elementwise=lambda: compiles(double, capability),
        reduction=lambda: compiles(add_up, capability),
    )


def symptom(device):
    # An RTX 50 card. Nothing runs, so no such GPU is needed.
    return compile_for(120)


def remedy(device):
    # A GPU that each of these Tritons knows.
    return compile_for(90)


def shows(report):
    assert report.facts["elementwise"] == report.facts["reduction"], report.facts
    return not report.facts["elementwise"]
