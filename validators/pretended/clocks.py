"""Inductor's benchmarks: all candidates tie, and what would have been chosen is kept."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch._inductor import config
from torch._inductor.fx_passes import joint_graph, pad_mm
from torch._inductor.runtime import benchmarking
from torch._inductor.runtime.triton_heuristics import CachingAutotuner
from torch.utils._python_dispatch import TorchDispatchMode

from validators.pretended.invented import CLOCK, Invented

_CHOOSERS = {
    "triton_heuristics.py": "the launch configuration of a kernel",
    "select_algorithm.py": "the algorithm of a template",
    "autotune_process.py": "the algorithm of a template",
    "pad_mm.py": "whether a matrix is padded",
    "scheduler.py": "whether two kernels are fused",
    "triton.py": "whether two kernels are fused",
    "overlap_scheduling.py": "how collectives overlap",
}
"""What Inductor chooses by the clock, by the file that asks."""
_SECONDS = 1.0


def install(invented: Invented) -> None:
    """Answer every benchmark on the GPU with the same time."""

    def tie(*_: Any, **__: Any) -> float:
        invented.note(CLOCK, _asked())
        return _SECONDS

    for kind in vars(benchmarking).values():
        if isinstance(kind, type) and issubclass(kind, benchmarking.Benchmarker):
            for name in ("benchmark_gpu", "benchmark_gpu_with_cuda_graph", "benchmark_many_gpu"):
                if name in vars(kind):
                    setattr(kind, name, tie)
    if hasattr(benchmarking, "register_benchmarker"):
        benchmarking.register_benchmarker("cuda", tie, override=True)
    _without_values()
    # What a tie chose must not be read as what a clock chose, by a later run least of all.
    config.force_disable_caches = True
    # They would load binaries past Triton's driver.
    for name in ("use_static_cuda_launcher", "use_static_triton_launcher"):
        if hasattr(config, name):
            setattr(config, name, False)


def _asked() -> str:
    """What the code that asks for a time chooses by it."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if "_inductor" in path.parts and path.name in _CHOOSERS:
            return _CHOOSERS[path.name]
        frame = frame.f_back
    return "something that Inductor times"


def _without_values() -> None:
    """Benchmarks copy tensors, and a pass computes constants of one element with real tensors."""
    CachingAutotuner.copy_args_to_cpu_if_needed = lambda self, *_, **__: {}
    if hasattr(pad_mm, "no_dispatch"):
        pad_mm.no_dispatch = contextlib.nullcontext
    folder = joint_graph.UniformValueConstantFolder
    for name in ("_deduce_value", "_add_peephole_patterns"):
        if name in vars(folder):
            setattr(folder, name, _on_cpu(vars(folder)[name]))


def _on_cpu(real: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        with _OnCpu():
            return real(*args)

    return run


class _OnCpu(TorchDispatchMode):  # type: ignore[misc]
    """Makes constants on the CPU: on which device they are folded does not matter."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if getattr(kwargs.get("device"), "type", None) == "cuda":
            kwargs["device"] = torch.device("cpu")
        if func is torch.ops.prims.device_put.default:
            args = (args[0], torch.device("cpu"), *args[2:])
        return func(*args, **kwargs)
