"""The retrospective of a change, as a log entry that lacks only the reasons."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from validators.catalog.case import PLACEHOLDER
from validators.catalog.logs import Relation
from validators.environment.column_name import by_release
from validators.evidence import Evidence, Record
from validators.evidence.figures import figure_text
from validators.evidence.transitions import borne_out
from validators.logbook.comparison import KINDS, Change, Comparison

_RELATIONS: tuple[Relation, ...] = ("supports", "refutes")


def draft(comparisons: Iterable[Comparison], committed: Evidence, date: datetime.date) -> str:
    """Write the entry; numbers that the `committed` evidence has, too, are marked as figures."""
    changed = [comparison for comparison in comparisons if comparison]
    titles = [f"From {it.before.label} to {it.after.label}" for it in changed]
    blocks = [_front_matter(changed, committed, date), f"# {'; '.join(titles)}"]
    blocks += ["## What was tried", *map(_tried, changed), "## What was found"]
    for title, comparison in zip(titles, changed, strict=True):
        blocks += [f"### {title}", *_found(comparison, committed)]
    names = [f"--from {it.before.name} --to {it.after.name}" for it in changed]
    lines = [f"- `python -m validators draft-entry {name}` compares them." for name in names]
    return "\n\n".join([*blocks, "## Artifacts", "\n".join(lines)]) + "\n"


def _front_matter(changed: list[Comparison], committed: Evidence, date: datetime.date) -> str:
    columns = {it.column.name for each in changed for it in (each.before, each.after)}
    columns &= {column for _, column in committed}
    relations = _relations(changed, committed)
    summary = f"  {PLACEHOLDER} what changed, in one sentence for people outside the field."
    lines = ["---", f"date: {date}", "type: retrospective", "summary: >-", summary]
    lines += ["cases:"] if relations else []
    lines += [f"  {case}: {relation}" for case, relation in sorted(relations.items())]
    lines += [f"evidence: [{', '.join(sorted(columns, key=by_release))}]"] if columns else []
    return "\n".join([*lines, "---"])


def _relations(changed: list[Comparison], committed: Evidence) -> dict[str, Relation]:
    """What the entry does to each case; left out if columns say opposite things of the case."""
    found: dict[str, set[Relation]] = {}
    for change in (change for comparison in changed for change in comparison.changes):
        after = change.after
        known = committed.get((after.case, after.column))
        if known and known.verdict == after.verdict != change.before.verdict:
            fit = (it for it in _RELATIONS if borne_out(it, change.case, [after.verdict]))
            found.setdefault(after.case, set()).update(fit)
    return {name: relations.pop() for name, relations in found.items() if len(relations) == 1}


def _tried(comparison: Comparison) -> str:
    before, after = comparison.before.label, comparison.after.label
    cases = f"The evidence of {comparison.both} cases on {before} and {after}"
    return f"{cases} was compared: counts exactly, times not at all."


def _found(comparison: Comparison, committed: Evidence) -> Iterator[str]:
    """The changes by kind, and the cases that only one snapshot has."""
    for kind in KINDS:
        changes = [change for change in comparison.changes if change.kind == kind]
        if changes:
            yield f"#### {kind}"
        for change in changes:
            yield from _change(change, comparison, committed)
    for title, records in (
        ("New cases", comparison.new),
        ("Cases that are gone", comparison.gone),
    ):
        if records:
            yield f"#### {title}"
            yield "\n".join(f"- `{it.case}`: {it.verdict}{_reason(it)}" for it in records)


def _change(change: Change, comparison: Comparison, committed: Evidence) -> Iterator[str]:
    before, after = change.before, change.after
    labels = comparison.before.label, comparison.after.label
    verdicts = f"{after.verdict} in both"
    if before.verdict != after.verdict:
        was = f"{before.verdict} on {labels[0]}{_reason(before)}"
        verdicts = f"{was}, {after.verdict} on {labels[1]}{_reason(after)}"
    yield f"`case:{change.case.name}`, {verdicts}:"
    yield f"> {change.case.summary}"
    if change.paths:
        rows: list[tuple[str, ...]] = [("", *labels), ("---", "---", "---")]
        for path in change.paths:
            numbers = (_number(record, path, committed) for record in (before, after))
            rows.append((_in_cell(f"`{path}`"), *numbers))
        yield "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    if before.digest != after.digest:
        yield "The case or its code changed between the two records, too."
    yield f"{PLACEHOLDER} why, and whether it is fixed or known upstream."


def _number(record: Record, path: str, committed: Evidence) -> str:
    """What `record` has at `path`, marked where the committed evidence has the same."""
    text = _figure({(record.case, record.column): record}, record, path)
    if " " in path or "|" in text or not text or _figure(committed, record, path) != text:
        return _in_cell(text) or "none"
    return f"<!-- figure {record.case} {path} {record.column} -->{text}<!-- /figure -->"


def _figure(evidence: Evidence, record: Record, path: str) -> str:
    try:
        return figure_text(evidence, record.case, path, record.column)
    except KeyError:
        return ""


def _in_cell(text: str) -> str:
    """`text` for a table's cell, which a bare bar would end."""
    return text.replace("|", "\\|")


def _reason(record: Record) -> str:
    return f" ({' '.join(record.reason.split())})" if record.reason else ""
