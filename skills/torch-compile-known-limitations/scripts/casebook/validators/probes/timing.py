"""Seconds of calls that were observed first, so that they are known to run compiled."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import torch

from validators.probes.arguments import Arguments, as_arguments
from validators.probes.audit import auditing
from validators.probes.observation import observed
from validators.probes.report import Report


def event_times(
    target: Callable[..., Any],
    args: tuple[Any, ...] | Arguments,
    *,
    repeats: int = 20,
    warmups: int = 3,
    **options: Any,
) -> Report:
    """Time calls on the GPU with CUDA events, after observing the warm-up calls.

    The report is `observe`'s over `warmups` calls (`options` go there, `compile=` included), with
    `times["cuda"]`: seconds between two events around each of `repeats` calls. Three warm-ups
    reach replay under CUDA graphs: the first compiles and warms up, the second records.
    """

    def measure(compiled: Callable[..., Any], item: Arguments) -> float:
        return event_seconds(lambda: compiled(*item.args, **item.kwargs))

    return observed_then("cuda", measure, target, args, warmups, repeats, options)


def observed_then(
    name: str,
    measure: Callable[[Callable[..., Any], Arguments], float],
    target: Callable[..., Any],
    args: tuple[Any, ...] | Arguments,
    warmups: int,
    samples: int,
    options: dict[str, Any],
) -> Report:
    """Observe `warmups` equal calls, then add `times[name]`: `samples` measurements, in seconds.

    `options` are `observe`'s. A report that holds an exception, or is an audit's, has no times.
    """
    item = as_arguments(args)
    report, made = observed(target, [item] * warmups, options)
    if report.exception is not None or auditing():
        return report
    times = [measure(made[-1], item) for _ in range(samples)]
    return dataclasses.replace(report, times={**report.times, name: times})


def seconds_per_call(compiled: Callable[..., Any], item: Arguments, calls: int) -> float:
    """The mean seconds of `calls` calls."""
    args, kwargs = item.args, item.kwargs
    start = time.perf_counter()
    for _ in range(calls):
        compiled(*args, **kwargs)
    return (time.perf_counter() - start) / calls


def event_seconds(step: Callable[[], Any]) -> float:
    """The seconds of one step between two CUDA events."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    step()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1000


def wall_seconds(step: Callable[[], Any]) -> float:
    """The seconds until one step is done, on a GPU too."""
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()  # work that building has queued does not count
    start = time.perf_counter()
    step()
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter() - start
