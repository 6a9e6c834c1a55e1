"""What the probes saw, as rows that set the symptom beside the remedy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from docsite.pages.aspects import ASPECTS, Shown, memory, times
from validators.evidence import Record
from validators.evidence.columns import Column
from validators.probes.report import Report
from validators.published.standing import Standing


@dataclass(frozen=True)
class Row:
    """One aspect; each side is a list of lines of text, and `code` says that they are code."""

    name: str
    symptom: Shown
    remedy: Shown
    code: bool = False


@dataclass(frozen=True)
class Observation:
    """What the probes saw, and all columns where they saw exactly this, newest release first.

    `noise` is the first column's: times and memory are never quite the same. If `like` names a
    column, `rows` are only those that differ from that column's.
    """

    columns: list[Column]
    rows: list[Row]
    noise: list[Row]
    stale: bool
    like: Column | None = None


def observations(standing: Standing) -> list[Observation]:
    """The case's records, newest release first, equal ones together.

    All but the first hold only the rows that differ from those of the first.
    """
    found: list[Observation] = []
    for cell in reversed(standing.cells):
        if cell.record is None:
            continue
        reports = cell.record.report("symptom"), cell.record.report("remedy")
        if not any(reports):
            continue
        rows, noise = list(_rows(cell.record, *reports)), list(_noise(*reports))
        seen = Observation([cell.column], rows, noise, cell.state.key == "stale")
        same = next((o for o in found if (o.rows, o.stale) == (seen.rows, seen.stale)), None)
        if same:
            same.columns.append(cell.column)
        else:
            found.append(seen)
    return [*found[:1], *(_as_difference(found[0], other) for other in found[1:])]


def _as_difference(first: Observation, other: Observation) -> Observation:
    mine = {row.name: row for row in other.rows}
    theirs = {row.name: row for row in first.rows}
    rows = [
        mine.get(name, Row(name, [], []))
        for name in {**theirs, **mine}
        if mine.get(name) != theirs.get(name)
    ]
    return replace(other, rows=rows, like=first.columns[0])


def _rows(record: Record, symptom: Report | None, remedy: Report | None) -> Iterator[Row]:
    if record.shows:
        said = {name: ["yes" if shown else "no"] for name, shown in record.shows.items()}
        yield Row("Symptom shows", said.get("symptom", []), said.get("remedy", []))
    reports = [report for report in (symptom, remedy) if report]
    # Arms that only read facts count nothing, so counts of 0 would say too much.
    empty = set() if any(report.calls for report in reports) else {"0"}
    for name, read, code in ASPECTS:
        row = Row(name, _read(read, symptom), _read(read, remedy), code)
        if {*row.symptom, *row.remedy} - empty:
            yield row
    for name in sorted({name for report in reports for name in report.facts}):
        yield Row(name, _fact(symptom, name), _fact(remedy, name), True)


def _noise(symptom: Report | None, remedy: Report | None) -> Iterator[Row]:
    for name, read in (("Times", times), ("Memory", memory)):
        row = Row(name, _read(read, symptom), _read(read, remedy))
        if row.symptom or row.remedy:
            yield row


def _read(read: Callable[[Report], Shown], report: Report | None) -> Shown:
    return read(report) if report else []


def _fact(report: Report | None, name: str) -> Shown:
    if not report or name not in report.facts:
        return []
    value = report.facts[name]
    return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
