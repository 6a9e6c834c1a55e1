"""Words that are misspelt or unfinished: the terms of an index that may be meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from validators.match.language.rules import RULES


class Spelling:
    """Terms by their first letter; `common` says how many pages hold each."""

    def __init__(self, common: dict[str, int]) -> None:
        self._common = common
        self._by_letter: dict[str, list[str]] = defaultdict(list)
        for term in common:
            self._by_letter[term[0]].append(term)

    def completions(self, beginning: str) -> list[str]:
        """The terms that begin so, those that most pages hold first; for a word, only words."""
        begun = (it for it in self._by_letter[beginning[0]] if it.startswith(beginning))
        found = (it for it in begun if it.isalpha() or not beginning.isalpha())
        return self._first(found, RULES.completions)

    def correction(self, word: str) -> list[str]:
        """The term that is spelt most like `word`; none if all differ much."""
        long = len(word) >= RULES.long_word
        most = 2 if long else 1 if len(word) >= RULES.short_word else 0
        distances = {
            term: distance
            for term in self._by_letter[word[0]]
            if abs(len(term) - len(word)) <= most
            and (distance := edits(word, term, most, 1 if long else 2)) <= most
        }
        least = min(distances.values(), default=0)
        return self._first((it for it, distance in distances.items() if distance == least), 1)

    def _first(self, terms: Iterable[str], most: int) -> list[str]:
        return sorted(terms, key=lambda it: (-self._common[it], it))[:most]


def edits(one: str, other: str, most: int, replaced: int = 1) -> int:
    """How many letters are inserted, removed or exchanged with a neighbour; at most `most` + 1.

    A letter in place of another counts as `replaced`. This is optimal string alignment.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, its in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + replaced * (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
