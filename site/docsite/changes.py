"""What changed between two sides of evidence: verdicts, counts and figures, cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from docsite.noise import changed, values
from docsite.observed import probes_only
from docsite.sides import Side
from validators.catalog import Case, Catalog
from validators.evidence import Freshness, Record, Verdict
from validators.evidence.record import DECIDED

ARMS = ("symptom", "remedy")
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
"""What a change can be, in the order in which an entry tells of it."""


@dataclass(frozen=True)
class Change:
    """One case that both sides ran, and what differs; `paths` name figures of the records.

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
    """Two sides, and all that changed from one to the other.

    `stale` names the records of the working tree whose case has changed since they were made.
    """

    before: Side
    after: Side
    both: list[str]
    changes: list[Change]
    new: list[Record]
    gone: list[Record]
    stale: list[Record] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.changes or self.new or self.gone)

    @property
    def sides(self) -> tuple[Side, Side]:
        """What was, and what came of it."""
        return self.before, self.after

    @property
    def decided(self) -> list[str]:
        """The cases that both sides decide."""
        return [n for n in self.both if all(s.records[n].verdict in DECIDED for s in self.sides)]


def compare(before: Side, after: Side, catalog: Catalog) -> Comparison:
    """What changed; of retired cases, and of what is no case any more, only that they are gone.

    Raises:
        CasebookError: a record holds a report that no probe wrote.
    """
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
        with probes_only(name, " or ".join(dict.fromkeys((before.column, after.column)))):
            paths = [path for arm in ARMS for path in _paths(case, arm, before, after)]
        if before.verdict != after.verdict or paths:
            yield Change(_kind(case, before, after), case, before, after, paths)


def _paths(case: Case, arm: str, before: Record, after: Record) -> Iterator[str]:
    """What differs in an arm that both sides ran."""
    one, other = getattr(before, arm), getattr(after, arm)
    if one is not None and other is not None:
        for path in {**values(one), **values(other)}:
            if changed(path, arm, before, after, timed=case.meta.exclusive):
                yield f"{arm}.{path}"


def _kind(case: Case, before: Record, after: Record) -> str:
    if before.verdict == after.verdict:
        return FIGURES
    if case.meta.kind == "limitation" and (before.verdict, after.verdict) == (
        "confirmed",
        "refuted",
    ):
        return GONE
    return _BY_VERDICT[after.verdict]


def _stale(sides: tuple[Side, Side], live: dict[str, Case], catalog: Catalog) -> Iterator[Record]:
    freshness = Freshness(catalog.root)
    for side in sides:
        for name, record in sorted(side.records.items()) if side.present else ():
            if name in live and not freshness.is_current(live[name], record):
                yield record
