"""What changed between two snapshots of evidence: verdicts, counts and figures, cases.

Counts, flags and names are compared exactly: the same program on the same torch counts the same.
Computed numbers may differ by `ROUNDING`, since the order of additions may change. Times are not
compared: seconds and their ratios depend on what else the machine had to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validators.catalog import Case, Catalog
from validators.evidence import Record
from validators.logbook.snapshots import Snapshot
from validators.verdicts import Verdict

ROUNDING = 0.01
_NOT_COMPARED = {"times", "memory", "observation"}
_LONGEST_NAME = 60
"""Longer text is a message, which holds lines, addresses and hashes."""
_GONE, _FIGURES = "Limitations that no longer show", "Counts and figures"
_BY_VERDICT: dict[Verdict, str] = {
    "confirmed": "Newly confirmed",
    "refuted": "Newly refuted",
    "remedy-failed": "The remedy no longer works",
    "unstable": "Unstable now",
    "error": "In error now",
    "skipped": "Skipped now",
}
KINDS = (_GONE, *_BY_VERDICT.values(), _FIGURES)
"""The kinds of changes, in the order in which an entry lists them."""

Value = bool | int | float | str


@dataclass(frozen=True)
class Change:
    """One case that both snapshots hold, and what differs; `paths` name figures of the records."""

    case: Case
    before: Record
    after: Record
    paths: list[str]

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        verdicts = self.before.verdict, self.after.verdict
        if self.before.verdict == self.after.verdict:
            return _FIGURES
        if self.case.meta.kind == "limitation" and verdicts == ("confirmed", "refuted"):
            return _GONE
        return _BY_VERDICT[self.after.verdict]


@dataclass(frozen=True)
class Comparison:
    """Two snapshots, how many cases `both` hold, and all that changed from one to the other."""

    before: Snapshot
    after: Snapshot
    changes: list[Change]
    new: list[Record]
    gone: list[Record]
    both: int

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.changes or self.new or self.gone)


def compare(before: Snapshot, after: Snapshot, catalog: Catalog) -> Comparison:
    """Compare two snapshots; retired and deleted cases are only listed as gone."""
    live = {case.name: case for case in catalog.cases if not case.retired}
    one, other = before.records, after.records
    both = sorted(live.keys() & one.keys() & other.keys())
    changes = [_change(live[name], one[name], other[name]) for name in both]
    return Comparison(
        before,
        after,
        changes=[it for it in changes if it.paths or it.before.verdict != it.after.verdict],
        new=[it for name, it in other.items() if name in live and name not in one],
        gone=[it for name, it in one.items() if name not in other],
        both=len(both),
    )


def _change(case: Case, before: Record, after: Record) -> Change:
    return Change(case, before, after, list(_paths(case, before, after)))


def _paths(case: Case, before: Record, after: Record) -> Iterator[str]:
    """The figures that differ in an arm that both ran."""
    for arm, one, other in (
        ("symptom", before.symptom, after.symptom),
        ("remedy", before.remedy, after.remedy),
    ):
        if one is not None and other is not None:
            was, now = figures_of(one), figures_of(other)
            for path in {**was, **now}:
                if differ(was.get(path), now.get(path), timed=case.meta.exclusive):
                    yield f"{arm}.{path}"


def figures_of(report: dict[str, Any]) -> dict[str, Value]:
    """Return the comparable values of a report, by the path that a figure would name."""
    return dict(_leaves({k: v for k, v in report.items() if k not in _NOT_COMPARED}, ""))


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


def differ(one: Value | None, other: Value | None, *, timed: bool = False) -> bool:
    """Whether two values differ; fractions of a case that measures time (`timed`) never do."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        if isinstance(one, int) and isinstance(other, int):
            return one != other
        return not timed and not math.isclose(one, other, rel_tol=ROUNDING)
    return one != other
