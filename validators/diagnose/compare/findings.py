"""Which findings are gone, new and still there."""

from __future__ import annotations

from collections.abc import Callable

from validators.diagnose.compare.sides import Sides
from validators.diagnose.findings.comparison import Change
from validators.diagnose.findings.finding import Finding
from validators.diagnose.findings.identity import cause, identity

_PART = {
    "static": "static",
    "wrong_results": "results",
    "dynamic_dim": "shapes",
    "compile_time": "latency",
    "graph_break": "breaks",
    "recompile": "breaks",
    "recompile_limit": "breaks",
    "eager_call": "breaks",
    "cudagraphs": "cudagraphs",
    "guard_cost": "guards",
}
"""The part that makes findings of a kind; a crash may come from several."""


def changes(sides: Sides) -> tuple[list[Change], list[Change], list[Change]]:
    """The findings that are gone, new and still there, of parts that have a result on both sides.

    Findings are paired by kind, code and reason; what is left, by kind and code, because torch
    words reasons differently from release to release; and then functions that compile again by
    their names and the cause, because their code may have changed.
    """
    before = [it for it in sides.before.findings if _compared(it, sides)]
    after = [it for it in sides.after.findings if _compared(it, sides)]
    pairs = _paired(before, after, identity)
    pairs += _paired(before, after, _by_code)
    pairs += _paired(before, after, cause)
    return (
        [_change(it, None) for it in before],
        [_change(None, it) for it in after],
        [_change(was, now) for was, now in pairs],
    )


def _compared(finding: Finding, sides: Sides) -> bool:
    part = _PART.get(finding.kind)
    return part is None or sides.both(part)


def costly(new: list[Change]) -> int:
    """How many changes are about something that ran: a suspicion costs nothing."""
    return sum(it.kind != "static" for it in new)


def _paired(
    before: list[Finding], after: list[Finding], key: Callable[[Finding], object]
) -> list[tuple[Finding, Finding]]:
    """Take the findings out of both lists that have the same `key`; None is no key."""
    pairs = []
    for was in list(before):
        known = key(was)
        now = next((it for it in after if known is not None and key(it) == known), None)
        if now is not None:
            before.remove(was)
            after.remove(now)
            pairs.append((was, now))
    return pairs


def _by_code(finding: Finding) -> tuple[str, str] | None:
    """Without code, nothing but the reason tells findings of one kind apart."""
    kind, code, _ = identity(finding)
    return (kind, code) if code else None


def _change(was: Finding | None, now: Finding | None) -> Change:
    it = now or was
    assert it is not None
    return Change(
        kind=it.kind,
        what=it.what,
        place=str(it.place or ""),
        before=was.cost if was else "",
        after=now.cost if now else "",
    )
