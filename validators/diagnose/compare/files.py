"""Read what `compare` compares, as others may have written it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from validators.diagnose.compare.benchmark import Benchmark, Seconds
from validators.diagnose.compare.sides import has_result
from validators.diagnose.findings.finding import Diagnosis
from validators.errors import CasebookError
from validators.files import PROGRAM, read_file

_WRITE = f"write it with `{PROGRAM} diagnose TARGET --json`"
_SCHEMA = f"see `{PROGRAM} schema benchmark`"

_Count = Annotated[int, Meta(ge=0)]


class _Counted(Struct):
    count: _Count


class _Raised(Struct):
    type: str
    message: str


class _Breaks(Struct):
    calls: Annotated[int, Meta(gt=0)]
    graphs: _Count
    breaks: list[_Counted]
    recompiles: list[_Counted]
    limits: list[Any]
    eager_calls: list[int]
    compiled_share: float | None
    raised: _Raised | None


class _Results(Struct):
    raised: _Raised | None


class _Compiled(Struct):
    ops: _Count
    cpu_seconds: Annotated[float, Meta(ge=0)]


class _Latency(Struct):
    whole: _Compiled | None


class _Times(Struct):
    eager: Seconds
    again: Seconds
    compiled: Seconds

    def __post_init__(self) -> None:
        if not len(self.eager) == len(self.again) == len(self.compiled):
            raise ValueError("eager, again and compiled differ in length")


class _Gain(Struct):
    seconds: _Times


_PARTS: dict[str, type[Struct]] = {
    "breaks": _Breaks,
    "results": _Results,
    "latency": _Latency,
    "gain": _Gain,
}
"""What a comparison reads of each part."""


def read_report(path: Path) -> Diagnosis:
    """A report of `diagnose --json`.

    Raises:
        CasebookError: the file is something else.
    """
    found = read_measured(path)
    if isinstance(found, Diagnosis):
        return found
    raise CasebookError(f"{path}: is a benchmark, not a report of diagnose; {_WRITE}")


def read_measured(path: Path) -> Diagnosis | Benchmark:
    """A report of `diagnose --json`, or a benchmark: {"seconds": [...]}.

    Raises:
        CasebookError: the file is neither, or lacks what a comparison reads.
        OSError: the file cannot be read.
    """
    try:
        data = msgspec.json.decode(read_file(path))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CasebookError(f"{path}: is not JSON ({error}); {_WRITE}") from None
    names = set(data) if isinstance(data, dict) else set()
    if {"findings", "parts"} <= names:
        report: Diagnosis = _as(Diagnosis, data, path)
        _check_parts(report, path)
        return report
    if "seconds" in names:
        benchmark: Benchmark = _as(Benchmark, data, path)
        return benchmark
    raise CasebookError(
        f'{path}: is neither a report of diagnose nor a benchmark, {{"seconds": [...]}}; {_WRITE}'
    )


def _as(kind: type[Any], data: Any, path: Path, within: str = "") -> Any:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        remedy = _SCHEMA if kind is Benchmark else _WRITE
        raise CasebookError(f"{path}: {within}{error}; {remedy}") from None


def _check_parts(report: Diagnosis, path: Path) -> None:
    for part in report.parts:
        if part.name in _PARTS and has_result(part):
            _as(_PARTS[part.name], part.measured, path, f"part {part.name}: ")
