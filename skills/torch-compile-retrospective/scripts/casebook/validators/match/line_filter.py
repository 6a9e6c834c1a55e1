"""A filter in front of many patterns, so that each line is tried against few of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

_WORD = re.compile(r"\w+", re.ASCII)
_LETTER = re.compile(r"[A-Za-z_]")
_REMEMBERED = 100_000
"""So many words of each sort are remembered: the words of a log repeat themselves."""


class _Known:
    """A pattern, compiled when a line first holds its literal."""

    def __init__(self, number: int, pattern: str, literal: str) -> None:
        self.number, self.literal, self._pattern = number, literal, pattern

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, re.ASCII)


class LineFilter:
    """Patterns by a word, or a part of one, that every line matching them holds."""

    def __init__(self, patterns: Iterable[tuple[int, tuple[str, str, str]]]) -> None:
        """Each pattern has a number, its text, and a literal that each line holds.

        Then the literal again, with a space where a word must begin or end.
        """
        self._whole: dict[str, list[_Known]] = defaultdict(list)
        self._parts: dict[str, list[_Known]] = defaultdict(list)
        self._wordless: dict[str, list[_Known]] = defaultdict(list)
        for number, (pattern, literal, around) in patterns:
            known = _Known(number, pattern, literal)
            word, is_whole = _telling_word(around)
            if is_whole:
                self._whole[word].append(known)
            elif word:
                self._parts[word].append(known)
            else:
                self._wordless[literal].append(known)
        self._part = re.compile("|".join(map(re.escape, self._parts)))
        self._of_word: dict[str, list[_Known]] = {}
        self._of_no_pattern = set[str]()

    def matching(self, text: str) -> list[int]:
        """The numbers of the patterns that the line `text` matches, in order."""
        found = set[int]()
        for word in {*_WORD.findall(text)} - self._of_no_pattern:
            for it in self._of_word.get(word) or self._having(word):
                if it.literal in text and it.compiled.search(text):
                    found.add(it.number)
        for literal, those in self._wordless.items():
            if literal in text:
                found.update(it.number for it in those if it.compiled.search(text))
        return sorted(found)

    def _having(self, word: str) -> list[_Known]:
        """The patterns that a line with the new `word` may match."""
        if word.isdigit():
            return []
        having = [*self._whole.get(word, ())]
        if self._part.search(word):
            for part, those in self._parts.items():
                having += those if part in word else ()
        if having and len(self._of_word) < _REMEMBERED:
            self._of_word[word] = having
        elif not having and len(self._of_no_pattern) < _REMEMBERED:
            self._of_no_pattern.add(word)
        return having


def _telling_word(literal: str) -> tuple[str, bool]:
    """The longest word inside `literal`, and that it is whole; else the longest at its edges.

    It has letters; "" if there is none.
    """
    found = [it for it in _WORD.finditer(literal) if _LETTER.search(it[0])]
    inner = [it[0] for it in found if it.start() and it.end() < len(literal)]
    if inner:
        return max(inner, key=len), True
    return max((it[0] for it in found), key=len, default=""), False
