"""What two measurements of a model differ in, as data."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Verdict = Literal["better", "same", "worse", "undecided", "missing", ""]
Advice = Literal["compile", "eager", "before", "after", "undecided"]
CHECKS = (
    "crash",
    "graph-breaks",
    "recompiles",
    "limits",
    "eager-calls",
    "compiled-ops",
    "wrong-results",
    "new-findings",
    "slower",
    "drift",
)
"""The numbers that can get worse; `compare --fail-on` names them."""
THRESHOLD = 5.0
"""Percent: times that differ by less count as equal."""


Seconds = Annotated[list[Annotated[float, Meta(ge=1e-12, le=1e12)]], Meta(min_length=1)]
"""Times whose ratios are numbers."""


class Benchmark(Struct, frozen=True, kw_only=True):
    """Seconds of calls in the order in which they were made, as any benchmark can write them."""

    seconds: Seconds
    name: str = ""


class Number(Struct, frozen=True):
    """One number before and after; null where nobody measured it.

    The verdict is "missing" if that leaves nothing to compare, and "" for a number that is neither
    good nor bad. `said` explains the verdict.
    """

    name: str
    before: float | None
    after: float | None
    verdict: Verdict = ""
    said: str = ""


class Change(Struct, frozen=True):
    """A finding in one report or in both: its kind, its place, and what it costs in each."""

    kind: str
    what: str
    place: str
    before: str
    after: str


class Preference(Struct, frozen=True):
    """What the speed-up advises, and why.

    Two reports advise to "compile" or to stay "eager"; two benchmarks prefer "before" or "after".
    """

    advice: Advice
    because: str


class Comparison(Struct, kw_only=True):
    """`compare --json`: two reports of `diagnose`, or two benchmarks, side by side.

    `differ` says what else is not the same, such as the torch release. `worse` names the numbers
    that got worse.
    """

    before: str
    after: str
    differ: list[str]
    numbers: list[Number]
    gone: list[Change]
    new: list[Change]
    still: list[Change]
    preference: Preference | None
    worse: list[str]
