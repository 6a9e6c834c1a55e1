"""What the collection knows of a release: which of its programs are wrong there, and on which."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validators.environment.column_name import by_release, release_of
from validators.inspector.differences.chains import ANY, with_any

_CPU = "-cpu"
"""How the name of a CPU's column ends."""
_MOST = 3
_LITTLE = 0.1
"""What a pointwise op counts beside the others."""
_LIKE = 0.5
"""The part of a chain and of wrong ops that must be the same, for one to name the other."""


@dataclass(frozen=True)
class Known:
    """A silent error: what is wrong, the code that shows it, and the verdicts by column.

    `avoid` is what avoided it wherever a program ran that, "" if nothing is known, and `cost` says
    how much more that compiles to, "" if it was not counted. `chain` are the
    ops that are compiled wrongly, () if none are to blame, and `part` says what differs. `traced`
    says that Dynamo traces the code wrongly. The oldest release comes first in `verdicts`.
    """

    name: str
    says: str
    cause: str
    issue: str
    fixed: str
    avoid: str
    cost: str
    code: str
    chain: tuple[str, ...]
    part: str
    traced: bool
    verdicts: Mapping[str, str]

    def releases(self, verdict: str) -> list[str]:
        """The releases with a verdict."""
        return [release_of(column) for column, it in self.verdicts.items() if it == verdict]

    def has_ops(self, ops: Sequence[str]) -> bool:
        """Whether it is wrong in the same ops, in any order.

        One pointwise op may stand for another beside an op that is none: alone, it tells nothing.
        """
        mine, theirs = sorted(with_any(self.chain)), sorted(with_any(ops))
        told = any(not name.startswith(ANY) for name in mine)
        return bool(ops) and (mine == theirs if told else sorted(self.chain) == sorted(ops))

    def affects(self, column: str) -> bool:
        """Whether it is wrong in a column; without a record, in the nearest one on either side.

        What only the code for a GPU shows does not affect a CPU.
        """
        if column.endswith(_CPU) and not any(it.endswith(_CPU) for it in self.verdicts):
            return False
        if verdict := self.verdicts.get(column):
            return verdict == "wrong"
        columns = sorted([*self.verdicts, column], key=by_release)
        at = columns.index(column)
        beside = [*columns[max(at - 1, 0) : at], *columns[at + 1 : at + 2]]
        return any(self.verdicts[it] == "wrong" for it in beside)


def known_from(data: Iterable[Mapping[str, Any]]) -> list[Known]:
    """The silent errors of plain data, as `dataclasses.asdict` makes it."""
    return [Known(**{**it, "chain": tuple(it["chain"])}) for it in data]


def named(ops: Sequence[str], part: str, known: Iterable[Known]) -> list[Known]:
    """The errors most like ops that are compiled wrongly, the most like first.

    A chain counts by what is rare in it, and one pointwise op may stand for another. Then `part`,
    what differs, counts.
    """
    known = [it for it in known if it.chain]
    had = Counter(name for it in known for name in {*with_any(it.chain)})
    weights = {name: math.log((len(known) + 1) / count) for name, count in had.items()}
    weights[ANY] = _LITTLE

    def score(it: Known) -> tuple[float, bool, float]:
        alike = _share(with_any(ops), with_any(it.chain), weights)
        return alike, _kind(part) == _kind(it.part), _share(ops, it.chain, dict.fromkeys(ops, 1.0))

    scores = {it.name: score(it) for it in known}
    like = [it for it in known if scores[it.name][0] >= _LIKE]
    return sorted(like, key=lambda it: scores[it.name], reverse=True)[:_MOST]


def _share(one: Sequence[str], other: Sequence[str], weights: Mapping[str, float]) -> float:
    """The part of two lists that is in both, in any order; what has no weight does not count."""
    first, second = Counter(one), Counter(other)

    def weight(names: Counter[str]) -> float:
        return sum(weights.get(name, 0.0) * count for name, count in names.items())

    return 2 * weight(first & second) / (weight(first) + weight(second) or 1.0)


def _kind(part: str) -> str:
    """What sort of thing differs."""
    kinds = ("gradient", "memory", "in eager mode", "argument")
    return next((kind for kind in kinds if kind in part), "output")
