"""Checks of the experiment log: no placeholder is left, and its relations agree with evidence."""

from __future__ import annotations

from collections.abc import Iterator

from validators.catalog import Case, Catalog
from validators.catalog.case import PLACEHOLDER
from validators.catalog.logs import LogEntry, Relation
from validators.checks.written.pages import UNWRITTEN, placeholders
from validators.errors import Problem
from validators.evidence import Evidence
from validators.evidence.transitions import agreeing, borne_out
from validators.verdicts import Verdict


def check_logs(entries: list[LogEntry], catalog: Catalog, evidence: Evidence) -> Iterator[Problem]:
    """Defects of the entries that could be read; unknown cases are reported elsewhere."""
    columns = sorted({column for _, column in evidence})
    introduced: dict[str, LogEntry] = {}
    for entry in sorted(entries, key=lambda e: (e.meta.date, e.name)):
        for column in entry.meta.evidence:
            if column not in columns:
                message = f"`evidence`: there is no column {column!r}; name one that `status` shows"
                yield Problem(entry.path, entry.lines["evidence"], message)
        named = entry.meta.evidence or columns
        for relation, case in _transitions(entry, catalog):
            records = (evidence.get((case.name, column)) for column in named)
            verdicts = [record.verdict for record in records if record]
            for message in _wrong(entry, relation, case, verdicts, introduced):
                yield Problem(entry.path, entry.lines["cases"], f"`cases`: {case.name}: {message}")
        yield from _unwritten(entry)
    yield from _premature(entries, catalog, introduced)


def _unwritten(entry: LogEntry) -> Iterator[Problem]:
    if PLACEHOLDER in entry.meta.summary:
        yield Problem(entry.path, entry.lines["summary"], UNWRITTEN)
    yield from placeholders(entry.path, entry.body_line, entry.body)


def _transitions(entry: LogEntry, catalog: Catalog) -> Iterator[tuple[Relation, Case]]:
    for name, relation in entry.meta.cases.items():
        if case := catalog.by_any_name.get(name):
            yield relation, case


def _wrong(
    entry: LogEntry,
    relation: Relation,
    case: Case,
    verdicts: list[Verdict],
    introduced: dict[str, LogEntry],
) -> Iterator[str]:
    """Defects of one transition; `introduced` gets the first entry that introduces each case."""
    if relation == "introduces" and introduced.setdefault(case.name, entry) is not entry:
        yield f"{introduced[case.name].name} introduces it already; write `supports` or `refutes`"
    if not borne_out(relation, case, verdicts):
        where = ", ".join(entry.meta.evidence) or "any column"
        needed = " or ".join(sorted(agreeing(relation, case)))
        yield f"{relation}, but no record in {where} is {needed}; fix the relation or `evidence`"


def _premature(
    entries: list[LogEntry], catalog: Catalog, introduced: dict[str, LogEntry]
) -> Iterator[Problem]:
    """Relations to cases that only a later entry introduces."""
    for entry in entries:
        for relation, case in _transitions(entry, catalog):
            first = introduced.get(case.name)
            if first and relation != "introduces" and entry.meta.date < first.meta.date:
                message = (
                    f"`cases`: {case.name}: {first.name} introduces it later; fix one of the two"
                )
                yield Problem(entry.path, entry.lines["cases"], message)
