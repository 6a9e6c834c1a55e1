"""What changed between two snapshots of evidence: verdicts, counts and figures, cases.

Counts, flags and names are compared exactly: the same program on the same torch counts the same.
Computed numbers may differ by `ROUNDING`, since the order of additions may change. Times are not
compared: seconds and their ratios depend on what else the machine had to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from validators.catalog import Case, Catalog
from validators.evidence import Freshness, Record
from validators.logbook.snapshots import Snapshot
from validators.verdicts import DECIDED, Verdict

ARMS = ("symptom", "remedy")
ROUNDING = 0.01
_NOT_COMPARED = {"times", "memory", "observation"}
_LONGEST_NAME = 60
"""Longer text is a message, which holds lines, addresses and hashes."""
GONE, FIGURES = "Limitations that no longer show", "Counts and figures"
_BY_VERDICT: dict[Verdict, str] = {
    "confirmed": "Newly confirmed",
    "refuted": "Newly refuted",
    "remedy-failed": "The remedy no longer works",
    "unstable": "Unstable now",
    "error": "In error now",
    "skipped": "Skipped now",
}
KINDS = (GONE, *_BY_VERDICT.values(), FIGURES)
"""The kinds of changes, in the order in which an entry lists them."""

Value = bool | int | float | str


@dataclass(frozen=True)
class Change:
    """One case that both snapshots hold, and what differs; `paths` name figures of the records.

    `edited` says that the case or its code differs, too, so that torch may not be the cause.
    """

    kind: str
    case: Case
    before: Record
    after: Record
    paths: list[str]

    @property
    def edited(self) -> bool:
        """Whether the two records are of different code."""
        return self.before.digest != self.after.digest


@dataclass(frozen=True)
class Comparison:
    """Two snapshots, and all that changed from one to the other.

    `stale` names the records of the working tree whose case has changed since they were made.
    """

    before: Snapshot
    after: Snapshot
    both: list[str]
    changes: list[Change]
    new: list[Record]
    gone: list[Record]
    stale: list[Record] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.changes or self.new or self.gone)

    @property
    def snapshots(self) -> tuple[Snapshot, Snapshot]:
        """The earlier snapshot, then the later one."""
        return self.before, self.after

    @property
    def decided(self) -> list[str]:
        """The cases that both snapshots decide."""
        return [
            name
            for name in self.both
            if all(it.records[name].verdict in DECIDED for it in self.snapshots)
        ]


def compare(before: Snapshot, after: Snapshot, catalog: Catalog) -> Comparison:
    """What changed; retired and deleted cases are only listed as gone."""
    live = {case.name: case for case in catalog.cases if not case.retired}
    one = {name: record for name, record in sorted(before.records.items()) if name in live}
    other = {name: record for name, record in sorted(after.records.items()) if name in live}
    return Comparison(
        before=before,
        after=after,
        both=[name for name in one if name in other],
        changes=list(_changes(one, other, live)),
        new=[record for name, record in other.items() if name not in one],
        gone=[record for name, record in before.records.items() if name not in after.records],
        stale=list(_stale((before, after), live, catalog)),
    )


def _changes(
    one: dict[str, Record], other: dict[str, Record], live: dict[str, Case]
) -> Iterator[Change]:
    for name in (name for name in one if name in other):
        case, before, after = live[name], one[name], other[name]
        timed = case.meta.exclusive
        paths = [path for arm in ARMS for path in _changed(arm, before, after, timed=timed)]
        if before.verdict != after.verdict or paths:
            yield Change(_kind(case, before, after), case, before, after, paths)


def _changed(arm: str, before: Record, after: Record, *, timed: bool) -> Iterator[str]:
    """The figures that differ in an arm that both ran; `timed` says that it measures time."""
    one, other = getattr(before, arm), getattr(after, arm)
    if one is None or other is None:
        return
    was, now = figures_of(one), figures_of(other)
    for path in {**was, **now}:
        if differ(was.get(path), now.get(path), timed=timed):
            yield f"{arm}.{path}"


def figures_of(report: dict[str, Any]) -> dict[str, Value]:
    """The comparable values of a report, by the path that a figure would name."""
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
    if not isinstance(one, float) and not isinstance(other, float):
        return one != other
    if not isinstance(one, int | float) or not isinstance(other, int | float):
        return one != other
    return not timed and not math.isclose(one, other, rel_tol=ROUNDING)


def _kind(case: Case, before: Record, after: Record) -> str:
    if before.verdict == after.verdict:
        return FIGURES
    if case.meta.kind == "limitation" and (before.verdict, after.verdict) == (
        "confirmed",
        "refuted",
    ):
        return GONE
    return _BY_VERDICT[after.verdict]


def _stale(
    snapshots: tuple[Snapshot, Snapshot], live: dict[str, Case], catalog: Catalog
) -> Iterator[Record]:
    freshness = Freshness(catalog.root)
    for snapshot in snapshots:
        for name, record in sorted(snapshot.records.items()) if snapshot.present else ():
            if name in live and not freshness.is_current(live[name], record):
                yield record
