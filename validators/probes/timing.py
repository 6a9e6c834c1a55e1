"""Timings that follow an observation, so that what was timed is known to run compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import torch

from validators.probes.arguments import Arguments, as_arguments
from validators.probes.audit import auditing
from validators.probes.observation import compiler, observe
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
    return observed_then("cuda", _event_time, target, args, warmups, repeats, options)


def _event_time(compiled: Callable[..., Any], item: Arguments) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    compiled(*item.args, **item.kwargs)
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1000


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


def observed(
    target: Callable[..., Any], calls: Iterable[Arguments], options: dict[str, Any]
) -> tuple[Report, list[Callable[..., Any]]]:
    """Observe `calls`; also what `target` was compiled to, a list of one unless that failed.

    `options` are `observe`'s.
    """
    options = dict(options)
    own = {key: options.pop(key) for key in ("eager", "compare") if key in options}
    make = options.pop("compile", None) or compiler(options.pop("backend", "eager"), options)
    made: list[Callable[..., Any]] = []

    def keep(it: Any) -> Callable[..., Any]:
        made.append(make(it))
        return made[-1]

    return observe(target, calls, compile=keep, **own), made
