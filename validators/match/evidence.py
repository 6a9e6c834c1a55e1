"""What a line of a log is exact evidence of: signatures of cases, families, ids of breaks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from validators.match.families import Pattern
from validators.match.index import Index, Signature
from validators.match.line_filter import LineFilter
from validators.match.log_lines import LogLine
from validators.match.rules import RULES

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
        self._known: list[tuple[int, Pattern]] = [
            (number, it) for number, family in enumerate(index.families) for it in family.patterns
        ]
        self._signatures = LineFilter(
            (number, it.pattern, it.literal) for number, it in enumerate(index.signatures)
        )
        self._families = LineFilter(
            (at, it.text, it.literal) for at, (_, it) in enumerate(self._known)
        )

    def read(self, line: LogLine) -> Evidence:
        """What the line is evidence of."""
        lowered = line.text.lower()
        breaks = dict.fromkeys(_BREAK.findall(lowered))
        return Evidence(
            line,
            tuple(self._index.signatures[it] for it in self._signatures.matching(line.text)),
            self._of_kinds(line.text),
            tuple(breaks),
            any(phrase in lowered for phrase in self._index.subject),
        )

    def _of_kinds(self, text: str) -> tuple[int, ...]:
        """The family of each kind that a line fits best."""
        best: dict[str, tuple[tuple[bool, int], int]] = {}
        for at in self._families.matching(text):
            number, pattern = self._known[at]
            kind = self._index.families[number].kind
            best[kind] = max(best.get(kind, ((False, 0), 0)), (pattern.telling, number))
        return tuple(sorted(number for _, number in best.values()))


@lru_cache(maxsize=4)
def reader_of(index: Index) -> Reader:
    """The reader of an index, made when it is first used."""
    return Reader(index)
