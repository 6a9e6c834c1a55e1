"""What the collection knows of a release: which of its programs are wrong there, and on which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validators.environment.column_name import by_release, release_of

_LIKE = 0.5
"""The part of a chain and of wrong ops that must be the same, for one to name the other."""


@dataclass(frozen=True)
class Known:
    """A silent error: what is wrong, the code that shows it, and the verdicts by column.

    `avoid` is what avoided it wherever a program ran that, "" if nothing is known. `chain` are the
    ops that are compiled wrongly, () if none are to blame. The oldest release comes first in
    `verdicts`.
    """

    name: str
    says: str
    cause: str
    issue: str
    fixed: str
    avoid: str
    code: str
    chain: tuple[str, ...]
    verdicts: Mapping[str, str]

    def releases(self, verdict: str) -> list[str]:
        """The releases with a verdict."""
        return [release_of(column) for column, it in self.verdicts.items() if it == verdict]

    def affects(self, column: str) -> bool:
        """Whether it is wrong in a column; without a record, in the nearest one on either side."""
        if verdict := self.verdicts.get(column):
            return verdict == "wrong"
        columns = sorted([*self.verdicts, column], key=by_release)
        at = columns.index(column)
        beside = [*columns[max(at - 1, 0) : at], *columns[at + 1 : at + 2]]
        return any(self.verdicts[it] == "wrong" for it in beside)


def known_from(data: Iterable[Mapping[str, Any]]) -> list[Known]:
    """The silent errors of plain data, as `dataclasses.asdict` makes it."""
    return [Known(**{**it, "chain": tuple(it["chain"])}) for it in data]


def named(ops: Sequence[str], known: Iterable[Known]) -> list[Known]:
    """The errors whose chain is most like ops that are compiled wrongly, all equally so."""
    scored = [(_share(ops, it.chain), it) for it in known]
    best = max((score for score, _ in scored), default=0.0)
    return [it for score, it in scored if score == best >= _LIKE]


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    """The part of two lists that is in both, in any order."""
    both = (Counter(one) & Counter(other)).total()
    return 2 * both / (len(one) + len(other)) if both else 0.0
