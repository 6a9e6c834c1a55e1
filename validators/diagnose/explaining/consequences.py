"""Findings that another one explains: a function at its limit, calls that run eagerly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from validators.diagnose.explaining.marks import VARYING, ZERO_ONE
from validators.diagnose.findings.finding import Explanation, Finding
from validators.diagnose.findings.words import numbered

_NO_GRAPH = "a call without a compiled graph"
_ONCE = {VARYING, ZERO_ONE}
"""Cases about one or two more graphs, too few to reach a limit."""
_WHOLE = ("Skipping the function", "Skipping the frame", "Skip inlining", "frame skipped")
"""Words of torch about a break after which a whole function runs eagerly."""


def of_limit(limit: Finding, recompiled: Sequence[Finding]) -> Finding:
    """A limit that a function reaches, explained by what it compiles again for most often."""
    same = [
        it
        for it in recompiled
        if limit.place and limit.place in (it.place, *it.stack) and it.explanation.case not in _ONCE
    ]
    # Callers are few, and what compiles again for a value of its own reaches the limit.
    most = max(same, key=lambda it: (not it.because, it.count), default=None)
    if most is None or most.explanation.known == "unknown":
        return limit
    return _following(limit, most, "the recompiles")


def of_eager_calls(
    calls: list[int], broken: Sequence[Finding], limits: Sequence[Finding]
) -> Finding:
    """Calls in which no compiled graph runs, explained by a limit, or by the break that did it."""
    found = Finding(
        kind="eager_call",
        what=f"no compiled graph runs in {numbered(calls)}",
        cost="these calls run eagerly, without a message",
        explanation=Explanation("unknown", _NO_GRAPH),
        count=len(calls),
    )
    if limits:
        return _following(found, limits[0], "the recompile limit")
    return _after_a_break(found, broken)


def without_graphs(again: Finding, broken: Sequence[Finding]) -> Finding:
    """A recompile where no graph ever runs: it has nothing to compile, whatever its guard says."""
    none = replace(again, explanation=Explanation("unknown", _NO_GRAPH))
    return _after_a_break(none, broken)


def _after_a_break(found: Finding, broken: Sequence[Finding]) -> Finding:
    """What follows from a graph break; from which of several is only suspected."""
    whole = [it for it in broken if any(word in it.text for word in _WHOLE)] or broken
    if not whole:
        return found
    linked = _following(found, whole[0], "the graph break")
    if len(whole) > 1 and linked.explanation.known == "explained":
        linked = replace(linked, explanation=replace(linked.explanation, known="suspected"))
    return linked


def _following(found: Finding, first: Finding, what: str) -> Finding:
    where = f" at {first.place}" if first.place else f" ({first.what})"
    return replace(found, explanation=first.explanation, follows=first.place, because=what + where)
