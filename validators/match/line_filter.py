"""A filter in front of many patterns, so that each line is tried against few of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

_WORD = re.compile(r"\w+", re.ASCII)
_INNER_WORD = re.compile(r"(?<=\W)\w+(?=\W)", re.ASCII)


class _Known:
    """A pattern, compiled when a line first holds its literal."""

    def __init__(self, number: int, pattern: str, literal: str) -> None:
        self.number, self.literal, self._pattern = number, literal, pattern

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, re.ASCII)


class LineFilter:
    """Patterns by a word that every line matching them holds."""

    def __init__(self, patterns: Iterable[tuple[int, tuple[str, str, str]]]) -> None:
        """Each pattern has a number, its text, and a literal that each line holds.

        Then the literal again, with a space where a word must begin or end.
        """
        self._by_word: dict[str, list[_Known]] = defaultdict(list)
        for number, (pattern, literal, around) in patterns:
            self._by_word[_whole_word(around)].append(_Known(number, pattern, literal))

    def matching(self, text: str) -> list[int]:
        """The numbers of the patterns that the line `text` matches, in order."""
        found = []
        for word in self._by_word.keys() & {"", *_WORD.findall(text)}:
            for it in self._by_word[word]:
                if it.literal in text and it.compiled.search(text):
                    found.append(it.number)
        return sorted(found)


def _whole_word(literal: str) -> str:
    """The longest word inside `literal`, not at its edges; "" if there is none."""
    return max(_INNER_WORD.findall(literal), key=len, default="")
