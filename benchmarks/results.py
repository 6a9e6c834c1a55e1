"""The results on disk: `results.json`, and `RESULTS.md` and a plot that are made from it."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.measures import Measure
from validators.environment import describe


class Result(Struct, frozen=True, kw_only=True):
    """What one benchmark measured, when, where, and how long that took."""

    title: str
    date: str
    machine: dict[str, str]
    seconds: float
    measures: list[Measure]


Results = dict[str, Result]
"""Results by the benchmark's name."""


def machine() -> dict[str, str]:
    """Where the benchmarks run."""
    mark = describe(sys.executable, "cpu").fingerprint
    cores = len(os.sched_getaffinity(0))
    return {
        "processor": f"{mark.processor}, {cores} cores",
        "python": mark.python,
        "torch": mark.torch,
        "compiler": mark.compiler,
        "os": mark.os,
        "load": f"load {os.getloadavg()[1]:.1f} over five minutes",
    }


def result(title: str, measures: Iterable[Measure], seconds: float) -> Result:
    """The result of a benchmark that has just run here."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return Result(
        title=title,
        date=today,
        machine=machine(),
        seconds=round(seconds, 1),
        measures=[_rounded(measure) for measure in measures],
    )


def load(file: Path) -> Results:
    """The stored results; empty if the file does not exist."""
    return msgspec.json.decode(file.read_bytes(), type=Results) if file.exists() else {}


def store(file: Path, results: Results) -> None:
    """Write the results, indented."""
    text = msgspec.json.format(msgspec.json.encode(results), indent=2)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text + b"\n")


def _rounded(measure: Measure) -> Measure:
    return msgspec.structs.replace(
        measure, samples=[float(f"{sample:.4g}") for sample in measure.samples]
    )
