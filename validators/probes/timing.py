"""Timings that follow an observation, so that what was timed is known to run compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from validators.probes.audit import auditing
from validators.probes.observation import Arguments, compiler, observe
from validators.probes.report import Report


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
    item = args if isinstance(args, Arguments) else Arguments(tuple(args))
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
