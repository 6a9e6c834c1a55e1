"""The families of what torch prints, as an index holds them: each with its patterns and cases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from validators.match.language.rules import RULES

HOLE = "…"
"""Stands in a title for what torch computes."""
_SPECIAL = re.compile(r"([.*+?^${}()|[\]\\])")
_ESCAPE = re.compile(r"\\(.)")
_LETTER = re.compile(r"[A-Za-z]")


@dataclass(frozen=True)
class Pattern:
    """A pattern of lines, and a `literal` that each such line holds; "" if none is certain.

    `around` is the literal with a space where a word must begin or end.
    """

    text: str
    literal: str
    around: str

    @property
    def telling(self) -> tuple[bool, int]:
        """What decides between patterns that a line fits: one with words before a longer one."""
        return bool(_LETTER.search(self.literal)), len(self.text)


@dataclass(frozen=True)
class FamilyFacts:
    """What only logs need of a family: the numbers of the `cases` that cause it, and patterns.

    The pattern of its lines follows from the title of a graph break and the key of an exception.
    Of other families they are `given`, each with the place of its literal.
    """

    cases: Sequence[int] = ()
    given: Sequence[tuple[str, int, int]] = ()


@dataclass(frozen=True, eq=False)
class IndexedFamily:
    """A family: its `kind` and `key`, its title, and `find`, which finds what only logs need."""

    kind: str
    key: str
    title: str
    find: Callable[[], FamilyFacts]

    @cached_property
    def facts(self) -> FamilyFacts:
        """What only logs need of it."""
        return self.find()

    @cached_property
    def patterns(self) -> list[Pattern]:
        """The patterns of the lines by which it is known."""
        if given := self.facts.given:
            literals = [_plain(it[start:stop]) for it, start, stop in given]
            return [Pattern(it[0], its, its) for it, its in zip(given, literals, strict=True)]
        return [own_pattern(self.kind, self.key, self.title)]


def escaped(text: str) -> str:
    """The pattern of a text, alike in Python and JavaScript: `re.escape` escapes more."""
    return _SPECIAL.sub(r"\\\1", text)


def own_pattern(kind: str, key: str, title: str) -> Pattern:
    """The pattern that follows from the key of an exception, or from the title of a break."""
    if kind == "exception":
        before, after = RULES.exception_name
        return Pattern(before + key + after, key, f" {key} ")
    parts = title.split(HOLE)
    text = RULES.hole.join(escaped(it) for it in parts)
    before, after = RULES.break_type
    ended = text.removesuffix(RULES.hole) if not parts[-1] else text + after
    literal = max(parts, key=len)
    begins, ends = literal == parts[0], literal == parts[-1]
    return Pattern(before + ended, literal, " " * begins + literal + " " * ends)


def _plain(literal: str) -> str:
    return _ESCAPE.sub(r"\1", literal)


def rows_of(families: Iterable[IndexedFamily]) -> dict[str, list[list[Any]]]:
    """The families for JSON, by kind, a row each: key, title, cases and patterns.

    A title that is the key is empty, and what is empty at the end is left out.
    """
    rows: dict[str, list[list[Any]]] = defaultdict(list)
    for it in families:
        title = "" if it.title == it.key else it.title
        row: list[Any] = [it.key, title, list(it.facts.cases), *chain.from_iterable(it.facts.given)]
        while not row[-1]:
            row.pop()
        rows[it.kind].append(row)
    return dict(rows)


def families_from(rows: dict[str, list[list[Any]]]) -> list[IndexedFamily]:
    """The families that were written as rows."""
    return [_from_row(kind, row) for kind, its in rows.items() for row in its]


def _from_row(kind: str, row: list[Any]) -> IndexedFamily:
    title = row[1] if len(row) > 1 else ""
    cases = row[2] if len(row) > 2 else ()
    facts = FamilyFacts(cases, [*zip(row[3::3], row[4::3], row[5::3], strict=True)])
    return IndexedFamily(kind, row[0], title or row[0], lambda: facts)
