"""Compare two reports of `diagnose`, or two benchmarks."""

from __future__ import annotations

from statistics import median

from validators.diagnose.compare.benchmark import Benchmark
from validators.diagnose.compare.counts import counts
from validators.diagnose.compare.findings import changes, costly
from validators.diagnose.compare.sides import Sides
from validators.diagnose.compare.speed import gain_numbers, preference, speed_numbers
from validators.diagnose.compare.times import blocks, drift_of, ratio_of
from validators.diagnose.findings.comparison import Comparison, Number
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.findings.words import made


def compare_diagnoses(before: Diagnosis, after: Diagnosis, threshold: float) -> Comparison:
    """Two reports side by side; times differ if they do by more than `threshold`: 0.05 is 5 %."""
    sides = Sides(before, after)
    gone, new, still = changes(sides)
    of_times, advised = gain_numbers(sides, threshold)
    numbers = [
        *counts(sides),
        Number("new-findings", None, costly(new), "worse" if costly(new) else "same"),
        *of_times,
    ]
    return Comparison(
        before=_named(before),
        after=_named(after),
        differ=_differ(before, after),
        numbers=numbers,
        gone=gone,
        new=new,
        still=still,
        preference=advised,
        worse=[it.name for it in numbers if it.verdict == "worse"],
    )


def compare_benchmarks(before: Benchmark, after: Benchmark, threshold: float) -> Comparison:
    """Two benchmarks side by side; times differ as in `compare_diagnoses`."""
    was, now = blocks(before.seconds), blocks(after.seconds)
    ratio, drift = ratio_of(was, now), drift_of(now)
    numbers = [
        Number("calls", len(before.seconds), len(after.seconds)),
        Number("median seconds", median(before.seconds), median(after.seconds)),
        *speed_numbers(ratio, drift_of(was), drift, threshold),
    ]
    return Comparison(
        before=before.name or "the first benchmark",
        after=after.name or "the second benchmark",
        differ=[],
        numbers=numbers,
        gone=[],
        new=[],
        still=[],
        preference=preference(ratio, drift, threshold, ("after", "before")),
        worse=[it.name for it in numbers if it.verdict == "worse"],
    )


def _named(diagnosis: Diagnosis) -> str:
    return f"{diagnosis.target} on torch {diagnosis.torch}, {made(diagnosis)}"


def _differ(before: Diagnosis, after: Diagnosis) -> list[str]:
    """What is not the same, so that other causes than the model can explain a change."""
    pairs: dict[str, tuple[object, object]] = {
        "target": (before.target, after.target),
        "torch": (before.torch, after.torch),
        "Python": (before.python, after.python),
        "column": (before.column, after.column),
    }
    # Parts that run nothing know neither.
    if before.calls and after.calls:
        pairs["number of calls"] = before.calls, after.calls
        pairs["training"] = before.trains, after.trains
    return [
        f"{name}: {was} before, {now} after" for name, (was, now) in pairs.items() if was != now
    ]
