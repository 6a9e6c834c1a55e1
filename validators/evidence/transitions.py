"""Whether evidence agrees with what a log entry says of a case."""

from __future__ import annotations

from collections.abc import Iterable

from validators.catalog import Case
from validators.catalog.logs import Relation
from validators.verdicts import Verdict

_HOLDS: frozenset[Verdict] = frozenset({"confirmed"})
_FAILS: frozenset[Verdict] = frozenset({"refuted", "remedy-failed"})


def agreeing(relation: Relation, case: Case) -> frozenset[Verdict]:
    """The verdicts on `case` that agree with `relation`; "introduces" needs none.

    For a retraction, the relation is about the belief, which fails where the retraction holds.
    """
    if relation == "introduces":
        return frozenset()
    return _HOLDS if (relation == "supports") != (case.meta.kind == "retraction") else _FAILS


def borne_out(relation: Relation, case: Case, verdicts: Iterable[Verdict]) -> bool:
    """Whether one of `verdicts` on `case` agrees with `relation`."""
    return relation == "introduces" or not agreeing(relation, case).isdisjoint(verdicts)
