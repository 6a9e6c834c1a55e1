"""Have Inductor compile graphs of CPU tensors for the GPU, and run that code on CPU tensors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch._inductor import compile_fx, config
from torch._inductor.codecache import PyCodeCache
from torch.utils import _pytree as pytree

from validators.interpreted import library

_GPU = torch.device("cuda", 0)
_ON_CPU = (
    (re.compile(r"\b_empty_strided_cuda\b"), "_empty_strided_cpu"),
    (re.compile(r"\bwith torch\.cuda\._DeviceGuard\(\d+\):"), "if True:"),
    (re.compile(r"\btorch\.cuda\.set_device\(\d+\)"), "pass"),
    (re.compile(r"\bget_raw_stream\(\d+\)"), "0"),
    (re.compile(r"\bdevice='cuda(:\d+)?'"), "device='cpu'"),
    (re.compile(r"\bdevice\(type='cuda', index=\d+\)"), "device('cpu')"),
)
"""What Inductor's wrapper asks of a GPU, and what a CPU has in its place."""
_CHANGES_ITS_INPUT = ("aten.set_", "aten.resize", "aten.shallow_copy_data_", "inductor.resize_")
"""Ops that give a tensor other memory or another shape; graphs with one cannot be moved."""


def install() -> None:
    """Compile for the GPU and run on the CPU, until the process ends.

    The process pretends to have the board, and was started with `VARIABLES`.
    """
    library.install()
    # Neither code for the CPU nor a process that interprets nothing.
    config.force_disable_caches = True
    config.compile_threads = 1
    compiles, writes = compile_fx.compile_fx, PyCodeCache.write
    compiled = _moving(compile_fx.compile_fx_inner)

    def for_the_gpu(graph: Any, inputs: Any, inner_compile: Any = compiled, **options: Any) -> Any:
        return compiles(graph, inputs, inner_compile=inner_compile, **options)

    def on_the_cpu(source: str, *more: Any, **options: Any) -> Any:
        for pattern, instead in _ON_CPU:
            source = pattern.sub(instead, source)
        return writes(source, *more, **options)

    compile_fx.compile_fx = for_the_gpu
    PyCodeCache.write = staticmethod(on_the_cpu)


def _moving(compile: Callable[..., Any]) -> Callable[..., Any]:
    """What compiles a graph of CPU tensors as one of the GPU's."""

    def compiled(graph: torch.fx.GraphModule, inputs: Any, **options: Any) -> Any:
        mode = torch._guards.detect_fake_mode(inputs)

        def moved(value: Any) -> Any:
            if isinstance(value, torch.device) and value.type == "cpu":
                return _GPU
            if not isinstance(value, torch.Tensor) or value.device.type != "cpu":
                return value
            with mode:
                return torch.empty_strided(
                    value.size(), value.stride(), dtype=value.dtype, device=_GPU
                )

        for node in graph.graph.nodes:
            if str(node.target).startswith(_CHANGES_ITS_INPUT):
                raise NotImplementedError(f"{node.target} cannot be moved to the GPU")
            node.args = pytree.tree_map(moved, node.args)
            node.kwargs = pytree.tree_map(moved, node.kwargs)
            if "val" in node.meta:
                node.meta["val"] = pytree.tree_map(moved, node.meta["val"])
        graph.recompile()
        return compile(graph, pytree.tree_map(moved, list(inputs)), **options)

    return compiled
