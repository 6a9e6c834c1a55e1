"""What a line of a log is exact evidence of: signatures of cases, families, ids of breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from validators.match.families import Pattern
from validators.match.index import Index, Signature
from validators.match.language.rules import RULES
from validators.match.line_filter import LineFilter
from validators.match.log_lines import LogLine

_BREAK = re.compile(RULES.graph_break, re.ASCII)


@dataclass(frozen=True)
class Evidence:
    """What a line says: the signatures that fit, families by number, ids of graph breaks.

    `about` says that it holds a phrase of the subject. A `joined` one is of wrapped lines.
    """

    line: LogLine
    signatures: tuple[Signature, ...]
    families: tuple[int, ...]
    breaks: tuple[str, ...]
    about: bool
    joined: bool = False

    def __bool__(self) -> bool:
        return bool(self.signatures or self.families or self.breaks)


class Reader:
    """Finds the evidence in lines."""

    def __init__(self, index: Index) -> None:
        self._index = index

    @cached_property
    def _known(self) -> list[tuple[int, Pattern]]:
        return [
            (number, it)
            for number, family in enumerate(self._index.families)
            for it in family.patterns
        ]

    @cached_property
    def _patterns(self) -> LineFilter:
        families = ((it.text, it.literal, it.around) for _, it in self._known)
        return LineFilter(enumerate(chain(_rows(self._index), families)))

    @cached_property
    def _signatures(self) -> LineFilter:
        return LineFilter(enumerate(_rows(self._index)))

    def signatures(self, text: str) -> list[Signature]:
        """The signatures that fit a text; the families, which are many, are not asked."""
        return [self._index.signatures[it] for it in self._signatures.matching(text)]

    def read(self, line: LogLine) -> Evidence:
        """What the line is evidence of."""
        lowered = line.text.lower()
        found = self._patterns.matching(line.text)
        first = len(self._index.signatures)
        return Evidence(
            line,
            tuple(self._index.signatures[it] for it in found if it < first),
            self._of_kinds([it - first for it in found if it >= first]),
            tuple(dict.fromkeys(_BREAK.findall(lowered))) if "gb" in lowered else (),
            any(map(lowered.__contains__, self._index.subject)),
        )

    def _of_kinds(self, patterns: Sequence[int]) -> tuple[int, ...]:
        """The best of the families of each kind that a line fits."""
        best: dict[str, tuple[tuple[bool, int], int]] = {}
        for at in patterns:
            number, pattern = self._known[at]
            kind = self._index.families[number].kind
            best[kind] = max(best.get(kind, ((False, 0), 0)), (pattern.telling, number))
        return tuple(sorted(number for _, number in best.values()))


def _rows(index: Index) -> Iterator[tuple[str, str, str]]:
    return ((it.pattern, it.literal, it.literal) for it in index.signatures)


@lru_cache(maxsize=4)
def reader_of(index: Index) -> Reader:
    """The reader of an index, made when it is first used."""
    return Reader(index)
