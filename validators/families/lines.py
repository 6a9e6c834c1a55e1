"""From a line of a log to the families that it belongs to, with few patterns tried per line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from validators.catalog.patterns import literal_of
from validators.families.family import Family, Kind
from validators.families.patterns import class_pattern

LONGEST = 2000
"""Longer lines are cut: a message stands at the beginning."""
_ONE_A_LINE: tuple[Kind, ...] = ("graph_break", "warning")
"""A line holds one message of these kinds; others may be part of its words."""
_WORD = re.compile(r"\w+", re.ASCII)
_INNER_WORD = re.compile(r"(?<=\W)\w+(?=\W)", re.ASCII)
_Known = tuple[str, str, Family]
"""The literal text that a pattern needs, the pattern, and its family."""


class FamilyLines:
    """Knows the patterns of some families, by a word that each line of theirs holds."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._by_word: dict[str, list[_Known]] = defaultdict(list)
        # The releases of one example print the same lines; a server must not keep all it reads.
        self._of_line = lru_cache(maxsize=1 << 12)(self._fitting)
        for family in families:
            for pattern in family.patterns:
                literal = literal_of(pattern)
                word = _whole_word(family, pattern, literal)
                self._by_word[word].append((literal, pattern, family))

    def of(self, line: str) -> list[Family]:
        """The families that print such a line, by kind and key; the line has no prefix."""
        return self._of_line(line[:LONGEST])

    def _fitting(self, line: str) -> list[Family]:
        words = self._by_word.keys() & {"", *_WORD.findall(line)}
        fitting = [
            known
            for word in words
            for known in self._by_word[word]
            if known[0] in line and re.search(known[1], line, re.ASCII)
        ]
        found = {(it.kind, it.key): it for it in _sure(fitting)} if fitting else {}
        return [found[name] for name in sorted(found)]


def _sure(fitting: list[_Known]) -> Iterator[Family]:
    """The families of patterns that fit a line, without those that only fit a part of a message.

    A guard that is known by its shape alone gives way to one that is known by its words.
    """
    longest: dict[Kind, int] = defaultdict(int)
    for _, pattern, family in fitting:
        longest[family.kind] = max(longest[family.kind], len(pattern))
    worded = any(it.kind == "guard" and _WORD.search(literal) for literal, _, it in fitting)
    for literal, pattern, family in fitting:
        if family.kind in _ONE_A_LINE and len(pattern) < longest[family.kind]:
            continue
        if family.kind == "guard" and worded and not _WORD.search(literal):
            continue
        yield family


def _whole_word(family: Family, pattern: str, literal: str) -> str:
    """A word that each line fitting `pattern` holds as a whole; "" if none is certain."""
    if family.kind == "exception" and pattern == class_pattern(family.key):
        return family.key
    return max(_INNER_WORD.findall(literal), key=len, default="")
