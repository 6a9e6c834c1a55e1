"""Sentences that a retraction of the catalog contradicts, by the words that they share with it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from validators.audit.reading import Passage
from validators.catalog import Case
from validators.catalog.citations import citations
from validators.match.language.terms import terms_of

LEAST = 0.6
"""Which part of a belief's words, by weight, a sentence must hold; a test measures it."""
_LONGEST = 3.0
"""How many times the belief's weight a sentence may have: long ones share words by chance."""


@dataclass(frozen=True)
class Refuted:
    """A sentence, and the retraction whose belief it repeats; `share` is from 0 to 1."""

    passage: Passage
    case: Case
    share: float


class Beliefs:
    """What the catalog's retractions say that people believe."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._terms = {
            case.name: (case, frozenset(terms_of(case.meta.believed)))
            for case in cases
            if case.meta.believed
        }
        held = Counter(term for _, terms in self._terms.values() for term in terms)
        self._weights = {it: math.log(1 + len(self._terms) / count) for it, count in held.items()}
        self._unknown = max(self._weights.values(), default=0.0)

    def refuted(self, passages: Iterable[Passage]) -> Iterator[Refuted]:
        """The sentences that repeat a belief, where nothing around them cites the retraction."""
        for passage in passages:
            cited = {name for _, name in citations(passage.around)}
            terms = frozenset(terms_of(passage.text))
            best = max(
                ((self._share(terms, of), case) for case, of in self._terms.values()),
                key=lambda it: it[0],
                default=None,
            )
            if best and best[0] >= LEAST and best[1].name not in cited:
                yield Refuted(passage, best[1], round(best[0], 2))

    def _share(self, terms: frozenset[str], belief: frozenset[str]) -> float:
        whole = self._weight(belief)
        if not whole or self._weight(terms) > _LONGEST * whole:
            return 0.0
        return self._weight(terms & belief) / whole

    def _weight(self, terms: Iterable[str]) -> float:
        return sum(self._weights.get(it, self._unknown) for it in terms)
