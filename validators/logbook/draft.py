"""The retrospective of a change, as a log entry that lacks only the reasons."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from validators.catalog import Case, Catalog
from validators.catalog.case import PLACEHOLDER
from validators.catalog.logs import Relation
from validators.environment.column_name import by_release
from validators.evidence import Evidence, Record
from validators.evidence.figures import figure_text
from validators.evidence.transitions import borne_out
from validators.logbook.comparison import GONE, KINDS, Change, Comparison
from validators.logbook.snapshots import Snapshot

_RELATIONS: tuple[Relation, ...] = ("supports", "refutes")


def draft(
    comparisons: list[Comparison], catalog: Catalog, committed: Evidence, date: datetime.date
) -> str:
    """The entry on all that changed; numbers that `committed` has, too, are marked as figures."""
    parts = [_Part(it, catalog, committed) for it in comparisons if it]
    heading, inner = ("###", "####") if len(parts) > 1 else ("", "###")
    blocks = [_front_matter(comparisons, committed, date)]
    blocks += [f"# From {'; from '.join(part.title for part in parts)}"]
    blocks += ["## What was tried", *(part.tried() for part in parts), "## What was found"]
    for part in parts:
        blocks += [f"{heading} From {part.title}"] if heading else []
        blocks += part.found(inner)
    blocks += ["## Artifacts", "\n".join(line for part in parts for line in part.artifacts())]
    return "\n\n".join(blocks) + "\n"


def _front_matter(comparisons: list[Comparison], committed: Evidence, date: datetime.date) -> str:
    changed = [it for it in comparisons if it]
    columns = {snapshot.column.name for it in changed for snapshot in it.snapshots}
    columns &= {column for _, column in committed}
    cases = [f"  {name}: {it}" for name, it in sorted(_relations(changed, committed).items())]
    summary = f"  {PLACEHOLDER} what changed, in one sentence for people outside the field."
    lines = ["---", f"date: {date}", "type: retrospective", "summary: >-", summary]
    lines += ["cases:", *cases] if cases else []
    lines += [f"evidence: [{', '.join(sorted(columns, key=by_release))}]"] if columns else []
    return "\n".join([*lines, "---"])


def _relations(comparisons: list[Comparison], committed: Evidence) -> dict[str, Relation]:
    """What the entry does to each case; left out if columns say opposite things of the case."""
    found: dict[str, set[Relation]] = {}
    for change in (change for it in comparisons for change in it.changes):
        if relation := _relation(change, committed):
            found.setdefault(change.case.name, set()).add(relation)
    return {name: relations.pop() for name, relations in found.items() if len(relations) == 1}


def _relation(change: Change, committed: Evidence) -> Relation | Literal[""]:
    """What the later verdict does to the case; "" if the committed evidence says otherwise."""
    after = change.after
    known = committed.get((after.case, after.column))
    if after.verdict == change.before.verdict or not known or known.verdict != after.verdict:
        return ""
    fit = (it for it in _RELATIONS if borne_out(it, change.case, [after.verdict]))
    return next(fit, "")


@dataclass(frozen=True)
class _Part:
    """What an entry says of one comparison."""

    comparison: Comparison
    catalog: Catalog
    committed: Evidence

    @property
    def title(self) -> str:
        """The labels of both snapshots."""
        return f"{self.comparison.before.label} to {self.comparison.after.label}"

    def tried(self) -> str:
        """Which snapshots were compared, and how."""
        it = self.comparison
        snapshots = " and ".join(f"{each.label} ({_ran(each)})" for each in it.snapshots)
        return (
            f"The evidence of {len(it.both)} cases on {snapshots} was compared; {len(it.decided)} "
            "are decided on both. Counts were compared exactly; times were not compared."
        )

    def found(self, heading: str) -> list[str]:
        """The changes by kind, and the cases that only one snapshot has."""
        it, blocks = self.comparison, list[str]()
        for kind in KINDS:
            changes = [change for change in it.changes if change.kind == kind]
            blocks += [f"{heading} {kind}"] if changes else []
            blocks += (block for change in changes for block in self._change(change))
        for title, records in (("New cases", it.new), ("Cases that are gone", it.gone)):
            lines = [f"- {self._cited(r.case)}: {r.verdict}{_reason(r)}" for r in records]
            blocks += [f"{heading} {title}", "\n".join(lines)] if lines else []
        return blocks

    def artifacts(self) -> Iterator[str]:
        """Where the numbers are from, and which records are stale."""
        for snapshot in self.comparison.snapshots:
            yield f"- {snapshot.label}: `{snapshot.place}`" + (
                "; numbers that the committed evidence lacks are not marked as figures"
                if snapshot.origin
                else ""
            )
        for record in self.comparison.stale:
            case = self._cited(record.case)
            yield f"- {case} has changed since its record on {record.column} was made: stale"

    def _change(self, change: Change) -> Iterator[str]:
        before, after = self.comparison.snapshots
        verdicts = f"{change.after.verdict} in both"
        if change.before.verdict != change.after.verdict:
            verdicts = (
                f"{change.before.verdict} on {before.label}{_reason(change.before)}, "
                f"{change.after.verdict} on {after.label}{_reason(change.after)}"
            )
        yield f"`case:{change.case.name}`, {verdicts}:"
        yield f"> {change.case.summary}"
        if change.paths:
            yield "\n".join(self._table(change))
        if change.edited:
            yield "The case or its code changed between the two records, too."
        asked = "why, and whether it is fixed upstream" if change.kind == GONE else "why"
        yield f"{PLACEHOLDER} {asked}{_upstream(change.case)}."

    def _table(self, change: Change) -> Iterator[str]:
        before, after = self.comparison.snapshots
        yield f"| | {before.label} | {after.label} |"
        yield "|---|---|---|"
        for path in change.paths:
            numbers = self._number(change.before, path), self._number(change.after, path)
            yield f"| {_in_cell(_words(path))} | {' | '.join(numbers)} |"

    def _number(self, record: Record, path: str) -> str:
        """What `record` has at `path`, marked where the committed evidence has the same."""
        text = _figure({(record.case, record.column): record}, record, path)
        markable = text and " " not in path and "|" not in text
        if not markable or _figure(self.committed, record, path) != text:
            return _in_cell(text) or "none"
        return f"<!-- figure {record.case} {path} {record.column} -->{text}<!-- /figure -->"

    def _cited(self, name: str) -> str:
        return f"`case:{name}`" if name in self.catalog.by_any_name else f"`{name}`"


def _figure(evidence: Evidence, record: Record, path: str) -> str:
    try:
        return figure_text(evidence, record.case, path, record.column)
    except KeyError:
        return ""


def _in_cell(text: str) -> str:
    """`text` for a table's cell, which a bare bar would end."""
    return text.replace("|", "\\|")


def _words(path: str) -> str:
    """A figure's path for readers, such as "symptom: graph breaks"."""
    arm, _, rest = path.partition(".")
    fact = rest.removeprefix("facts.")
    return f"{arm}: " + (rest.replace("_", " ").replace(".", " ") if fact == rest else f"`{fact}`")


def _ran(snapshot: Snapshot) -> str:
    """The builds of torch that a snapshot's records were made on."""
    return ", ".join(sorted({record.fingerprint.torch for record in snapshot.records.values()}))


def _reason(record: Record) -> str:
    return f" ({' '.join(record.reason.split())})" if record.reason else ""


def _upstream(case: Case) -> str:
    """The issues that a case names, for the author of the reason."""
    named = [it.issue for it in case.meta.upstream]
    return f" (the case names {'; '.join(named)})" if named else ""
