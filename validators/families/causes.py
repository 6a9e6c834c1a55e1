"""Which cases are causes of which families: by their pages, and by what their examples print."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from validators.catalog import Case
from validators.evidence.stored.examples import CaseExamples, ExampleRun, bare
from validators.families.family import Family, Kind, in_order
from validators.families.illustrations import Illustration
from validators.families.lines import FamilyLines
from validators.families.sampling import sample_of
from validators.repository import Repository
from validators.versions import public_version

Name = tuple[Kind, str]
"""The kind and the key of a family."""
How = Literal["declared", "shown", "printed", "signature", "illustrated"]
HOW: tuple[How, ...] = get_args(How)
"""How a cause is known, surest first: its page names the graph break; the line that shows its
symptom belongs to the family; its example prints such a line before the fix and none after it; one
of its signatures fits such lines. Illustrations come after all cases.
"""
_DIGITS = re.compile(r"0x[0-9a-f]+|[0-9]+")
_MOST_LINES = 3
_LAST_OF_BREAK = "Developer debug context:"
_LONGEST_BREAK = 12


@dataclass(frozen=True)
class Cause:
    """A case that causes what a family says.

    `releases` are those on which its example prints the family. `lines` are what it prints there,
    without the prefixes of logs: for a graph break, what follows its type, too.
    """

    case: Case
    how: How
    releases: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def causes_of(
    families: Iterable[Family],
    repository: Repository,
    illustrations: Iterable[Illustration] = (),
) -> Mapping[Name, tuple[Cause, ...]]:
    """The causes of each family that has some, surest first, then by name.

    Retired cases are no causes. A page that names a graph break causes it under each id that has
    its message. An illustration causes the families that it names.
    """
    families = list(families)
    lines = FamilyLines(families)
    by_name: Mapping[Name, Family] = {(it.kind, it.key): it for it in families}
    found: dict[Name, list[Cause]] = defaultdict(list)
    for case in repository.catalog.cases:
        if case.retired:
            continue
        printed = _Printed(repository.examples.get(case.name), lines)
        hows: dict[Name, How] = dict.fromkeys(_by_signature(case, lines), "signature")
        hows |= dict.fromkeys(printed.families, "printed")
        hows |= dict.fromkeys(printed.shown, "shown")
        hows |= dict.fromkeys(_declared(case, by_name), "declared")
        for name, how in hows.items():
            found[name].append(_cause(case, how, printed.families.get(name, _Seen())))
    for page in illustrations:
        printed = _Printed(repository.examples.get(page.name), lines)
        for family in page.families:
            name = (family.kind, family.key)
            found[name].append(_cause(page, "illustrated", printed.families.get(name, _Seen())))
    return {
        name: tuple(sorted(causes, key=lambda it: (HOW.index(it.how), it.case.name)))
        for name, causes in found.items()
    }


def _cause(case: Case, how: How, seen: _Seen) -> Cause:
    return Cause(case, how, in_order(seen.releases), tuple(seen.lines.values())[:_MOST_LINES])


def _declared(case: Case, families: Mapping[Name, Family]) -> Iterator[Name]:
    """The graph break that a page names, under each id that has its message."""
    if case.meta.graph_break is None:
        return
    family = families.get(("graph_break", case.meta.graph_break.id))
    for key in (family.key, *family.same) if family else ():
        yield ("graph_break", key)


def _by_signature(case: Case, lines: FamilyLines) -> Iterator[Name]:
    for signature in case.meta.signatures:
        for family in lines.of(sample_of(signature)):
            yield (family.kind, family.key)


@dataclass
class _Seen:
    """Where an example prints a family, and the lines, by what is left of them without numbers."""

    releases: set[str] = field(default_factory=set)
    lines: dict[str, str] = field(default_factory=dict)


class _Printed:
    """What the example of a case prints before its fix and not after it, by family."""

    def __init__(self, runs: CaseExamples | None, lines: FamilyLines) -> None:
        self.families: dict[Name, _Seen] = defaultdict(_Seen)
        self.shown: set[Name] = set()
        self._lines = lines
        self._texts: dict[str, dict[Name, list[str]]] = {}
        for run in runs.columns.values() if runs else ():
            if run.verdict == "confirmed" and runs:
                self._add(run, runs.printed)

    def _add(self, run: ExampleRun, printed: Mapping[str, str]) -> None:
        before = self._of_text(printed.get(run.before, ""))
        after = self._of_text(printed.get(run.after, ""))
        shown = {(it.kind, it.key) for it in self._lines.of(bare(run.line))}
        self.shown |= shown
        for name in before.keys() & shown | before.keys() - after.keys():
            seen = self.families[name]
            seen.releases.add(public_version(run.torch))
            for line in before[name]:
                seen.lines.setdefault(_DIGITS.sub("", line), line)

    def _of_text(self, text: str) -> dict[Name, list[str]]:
        """The families of a text, with the lines that show them."""
        if text not in self._texts:
            found: dict[Name, list[str]] = defaultdict(list)
            rows = [bare(line) for line in text.split("\n")]
            first = {row: number for number, row in reversed(list(enumerate(rows)))}
            for row, number in sorted(first.items(), key=lambda it: it[1]):
                for family in self._lines.of(row):
                    shown = [row] if family.kind != "graph_break" else _of_break(rows[number:])
                    found[family.kind, family.key] += shown
            self._texts[text] = found
        return self._texts[text]


def _of_break(rows: list[str]) -> list[str]:
    """What varies in the message of a graph break: its explanation and its context.

    `rows` begins with its type, which is returned if nothing follows.
    """
    rows = rows[:_LONGEST_BREAK]
    last = next((n for n, row in enumerate(rows) if row.startswith(_LAST_OF_BREAK)), 0)
    kept = ("Explanation:", _LAST_OF_BREAK)
    found = [row for row in rows[: last + 1] if row.startswith(kept) and not row.endswith(":")]
    return found or rows[:1]
