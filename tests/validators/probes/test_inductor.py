"""The code that Inductor makes, and what is still dispatched when it runs."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch._inductor.codecache import CppPythonBindingsCodeCache
from torch._inductor.compile_fx import compile_fx
from torch._inductor.graph import GraphLowering

from tests.validators.probes.arms import ones
from validators.probes import captured_facts, inductor_code, kernels_not_built, set_audit
from validators.probes.arguments import Arguments
from validators.probes.inductor import called, dispatched, launched

CODE = """
cpp_fused_relu_0 = async_compile.cpp_pybinding(['float*'], r'''
extern "C" void kernel(float* x) {
    cpp_inside_1(x);
    extern_kernels.inside(x);
}
''')
triton_poi_fused_gelu_1 = async_compile.triton('triton_poi_fused_gelu_1', '''
    triton_inside_2.run(x)
''', device_str='cuda')
_align = torch.ops.inductor._alloc
def partition_0(args):
    cpp_fused_relu_0(buf0)
    extern_kernels.addmm(a, b, c, out=buf1)
    triton_poi_fused_gelu_1.run(buf1, 64, stream=stream0)
    cpp_fused_relu_0(buf1)
    buf2 = torch.ops.mkl._mkl_linear.default(buf1, w)
"""


def mlp(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """One product that stays a library call, and pointwise ops around it that fuse."""
    return ((x + 1).relu() @ weight).sin().cos()


def test_kernels_are_read_from_the_code_and_not_from_their_sources() -> None:
    """Launches count in order and each time; definitions, aliases and kernels' sources do not."""
    assert launched(CODE) == ["cpp_fused_relu_0", "triton_poi_fused_gelu_1", "cpp_fused_relu_0"]
    assert called(CODE) == ["addmm", "mkl._mkl_linear.default"]
    assert launched("") == called("") == []


def test_ops_are_dispatched_eagerly() -> None:
    """Every op of an eager call counts, those that an op calls inside do not."""
    linear = torch.nn.Linear(4, 4)
    seen = dispatched(lambda x: linear(x).relu().relu(), Arguments((ones(2, 4),)))
    assert seen == {"aten::linear": 1, "aten::relu": 2}


def test_eager_calls_have_no_code() -> None:
    """Without Inductor there is no code, and all ops are dispatched."""
    report = inductor_code(mlp, [(ones(4, 4), ones(4, 4))], compile=lambda it: it, eager=True)
    assert report.eager_calls == (0,)
    assert report.facts["kernels"] == report.facts["externs"] == []
    every = ("aten::add", "aten::relu", "aten::matmul", "aten::sin", "aten::cos")
    assert report.facts["dispatched"] == dict.fromkeys(every, 1)


def test_the_hook_into_inductor_is_there_and_goes() -> None:
    """Inductor still hands its code to this hook, and the hook is restored."""
    assert GraphLowering.save_output_code is None
    inductor_code(mlp, [(ones(4, 4), ones(4, 4))], backend="eager")
    assert GraphLowering.save_output_code is None


def test_an_exception_leaves_no_facts() -> None:
    """A call that raised is not repeated, and nor is an audit's."""

    def raises(x: Any) -> Any:
        raise ValueError("no")

    assert inductor_code(raises, [(ones(1),)], backend="eager").facts == {}
    set_audit(True)
    try:
        assert inductor_code(mlp, [(ones(4, 4), ones(4, 4))]).facts == {}
    finally:
        set_audit(False)


@pytest.mark.slow
def test_inductor_fuses_and_calls_the_library() -> None:
    """Two fused kernels around one library call, which alone is dispatched."""
    report = inductor_code(mlp, [(ones(64, 64), ones(64, 64))] * 2)
    assert [call.executions for call in report.calls] == [1, 1]
    assert len(report.facts["kernels"]) == 2  # type: ignore[arg-type]
    assert report.facts["externs"] == ["mm"]
    assert report.facts["dispatched"] == {"aten::mm": 1}
    assert captured_facts(seen=lambda: report.facts["dispatched"]).facts["seen"] == {"aten::mm": 1}


def test_kernels_that_are_not_built_are_generated() -> None:
    """The code names its kernel, and the C++ compiler is not called for it."""

    def generate_only(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Any:
        compile_fx(graph, inputs)
        return graph.forward

    with kernels_not_built(), patch.object(CppPythonBindingsCodeCache, "load_async") as build:
        report = inductor_code(torch.cos, [(ones(4),)], backend=generate_only)
    assert report.exception is None
    assert len(report.facts["kernels"]) == 1  # type: ignore[arg-type]
    assert not build.called
