"""What two measurements of a model differ in, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True)
class Number:
    """One number before and after; null where nobody measured it.

    The verdict is "missing" if that leaves nothing to compare, and "" for a number that is neither
    good nor bad. `said` explains the verdict.
    """

    name: str
    before: float | None
    after: float | None
    verdict: Verdict = ""
    said: str = ""


@dataclass(frozen=True)
class Change:
    """A finding in one report or in both: its kind, its place, and what it costs in each."""

    kind: str
    what: str
    place: str
    before: str
    after: str


@dataclass(frozen=True)
class Preference:
    """What the speed-up advises, and why.

    Two reports advise to "compile" or to stay "eager"; two benchmarks prefer "before" or "after".
    """

    advice: Advice
    because: str


@dataclass(kw_only=True)
class Comparison:
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
