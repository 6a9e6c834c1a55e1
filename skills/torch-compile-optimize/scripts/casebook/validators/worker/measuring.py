"""What a first call costs: CPU seconds, and how the compilers share the time."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from typing import Any

import torch
from torch._dynamo import utils

from validators.probes.arguments import Arguments
from validators.probes.backend import recording
from validators.probes.counters import counting
from validators.probes.observation import LIBRARIES

Found = dict[str, Any]


class FirstCall:
    """Measures the first call of `run`; later calls go through as they are.

    `found` is None until then, and holds afterwards:
    - "graphs" and "ops": what Dynamo handed to the backend;
    - "cpu_seconds", of this process and of the compilers of C++ that it started, and "seconds";
    - "phases": the seconds of "dynamo", "aot_autograd" and "inductor";
    - "cached": how many graphs came from a cache, so that nobody compiled them; those of a backward
      pass count apart.
    """

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run
        self.found: Found | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make a call."""
        if self.found is not None:
            return self.run(*args, **kwargs)
        phases = _phases()
        begun = _cpu_seconds(), time.perf_counter()
        with recording(LIBRARIES) as recorder, counting() as counts:
            result = self.run(*args, **kwargs)
        graphs = [it.graph() for it in recorder.seen]
        cache = counts.cache()
        self.found = {
            "graphs": len(graphs),
            "ops": sum(it.ops for it in graphs),
            "cpu_seconds": _cpu_seconds() - begun[0],
            "seconds": time.perf_counter() - begun[1],
            "phases": {name: value - phases[name] for name, value in _phases().items()},
            "cached": 0 if cache is None else cache.fx_hits or cache.aot_hits,
        }
        return result


def breaks_counted() -> int:
    """How many graph breaks Dynamo has counted, and frames that it gave up on."""
    frames = utils.counters["frames"]
    given_up = frames["total"] - frames["ok"]
    return int(sum(utils.counters["graph_break"].values()) + given_up)


def graphs_compiled() -> int:
    """How many graphs this process has compiled, or found in a cache."""
    return int(utils.counters["stats"]["unique_graphs"])


def ops_captured() -> int:
    """How many ops this process has traced."""
    return int(utils.counters["stats"]["calls_captured"])


def _cpu_seconds() -> float:
    return sum(os.times()[:4])


def _phases() -> dict[str, float]:
    """Seconds that each compiler has taken in this process, backward passes included."""

    def taken(*names: str) -> float:
        return sum(sum(utils.compilation_time_metrics.get(name, ())) for name in names)

    # Dynamo calls AOTAutograd, and this calls Inductor; a backward pass may be compiled later.
    whole = taken("_compile.compile_inner")
    backend = taken("OutputGraph.call_user_compiler")
    inductor = taken("compile_fx_inner", "compile_fx.<locals>.fw_compiler_freezing")
    later = taken("backward._backward_impl")
    return {
        "dynamo": whole - backend,
        "aot_autograd": max(0.0, backend + later - inductor),
        "inductor": inductor,
    }


def peak_bytes(run: Callable[..., Any], item: Arguments) -> int | None:
    """The bytes by which torch's memory exceeds, during a call, what it is at the beginning.

    On a GPU the caching allocator counts them. On a CPU the profiler tells of every allocation;
    None if it tells of none.
    """
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
        before = int(torch.cuda.memory_allocated())
        torch.cuda.reset_peak_memory_stats()
        run(*item.args, **item.kwargs)
        torch.cuda.synchronize()
        return int(torch.cuda.max_memory_allocated()) - before
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        run(*item.args, **item.kwargs)
    kineto = getattr(profile.profiler, "kineto_results", None)
    events = kineto.events() if kineto is not None else ()
    changes = [(it.start_ns(), it.nbytes()) for it in events if it.name() == "[memory]"]
    held: list[int] = list(itertools.accumulate(size for _, size in sorted(changes)))
    return max(held) if held else None
