"""Whether a number of a report changed, or only fell differently this time.

Counts, flags and names are compared exactly: the same program on the same torch counts the same.
So are computed numbers, but for `ROUNDING`, since another order of additions is no news.

A number that was timed counts as changed only where its raw samples say so on both sides: at
least `SAMPLES` of them, the middle halves apart, and the medians by more than `DRIFT`. Three
quarters of the one side then lie beyond three quarters of the other, which one slow or lucky
sample does not bring about; and the medians of the same program, run again another day on the
same torch, were seen to differ by up to 7%, with middle halves that did not touch.

What was timed is a ratio of two measurements taken by turns within one process, whose samples are
the turns' ratios. Seconds themselves count only between records of the same GPU, its driver and
processor: on a processor they tell what else the machine had to do. Durations of compilations are
of different graphs and so no samples, and of memory there is one number: neither is compared.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from validators.evidence import Record

ROUNDING = 0.01
DRIFT = 0.1
SAMPLES = 5
_NOT_COMPARED = {"times", "memory", "observation"}
_LONGEST_NAME = 60
"""Longer text is a message, which holds lines, addresses and hashes."""

Value = bool | int | float | str
Values = dict[str, Value]


def values(report: dict[str, Any] | None) -> Values:
    """What can be compared of a report, by the path that a figure would name."""
    kept = {k: v for k, v in (report or {}).items() if k not in _NOT_COMPARED}
    return dict(_leaves(kept, ""))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Value]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        yield path, len(value)
    elif isinstance(value, str):
        if value.isprintable() and len(value) <= _LONGEST_NAME and not path.endswith("message"):
            yield path, value
    elif value is not None:
        yield path, value


def changed(path: str, arm: str, one: Record, other: Record, *, timed: bool) -> bool:
    """Whether the value at `path` of both records' `arm` differs beyond noise.

    `timed` says that the case measures time, so that its fractions are no plain arithmetic.
    """
    reports = [getattr(record, arm) or {} for record in (one, other)]
    before, after = (values(report).get(path) for report in reports)
    if not isinstance(before, int | float) or not isinstance(after, int | float):
        return before != after
    if isinstance(before, int) and isinstance(after, int):
        return before != after
    if not timed:
        return not math.isclose(before, after, rel_tol=ROUNDING)
    seconds = _same_gpu(one, other)
    return apart(
        _samples(before, one.repeats, reports[0], seconds),
        _samples(after, other.repeats, reports[1], seconds),
    )


def apart(one: list[float], other: list[float]) -> bool:
    """Whether two sets of samples are of different things, as the module's rule has it."""
    if min(len(one), len(other)) < SAMPLES:
        return False
    low, high = sorted((statistics.quantiles(it, n=4) for it in (one, other)), key=lambda q: q[1])
    return high[0] > low[2] and high[1] > low[1] * (1 + DRIFT)


def _samples(value: float, repeats: int, report: dict[str, Any], seconds: bool) -> list[float]:
    """The raw samples of which `value` is the first repeat's middle; none where none are known."""
    times = report.get("times", {})
    for row in times.values() if seconds else ():
        if _close(statistics.median(row[: len(row) // repeats] or [0.0]), value):
            return list(row)
    for over, under in permutations(times.values(), 2):
        if len(over) == len(under) >= repeats and all(under):
            turns = [a / b for a, b in zip(over, under, strict=True)]
            n = len(turns) // repeats
            medians = statistics.median(over[:n]) / statistics.median(under[:n])
            if _close(statistics.median(turns[:n]), value) or _close(medians, value):
                return turns
    return []


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9)


def _same_gpu(one: Record, other: Record) -> bool:
    mark, same = one.fingerprint, other.fingerprint
    return mark.device == "cuda" and all(
        getattr(mark, field) == getattr(same, field)
        for field in ("device", "accelerator", "driver", "processor")
    )
