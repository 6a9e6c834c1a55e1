"""Which findings are gone, new and still there."""

from __future__ import annotations

from validators.diagnose.compare_sides import Sides
from validators.diagnose.comparison import Change
from validators.diagnose.findings import Finding
from validators.diagnose.identity import identity

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
    words reasons differently from release to release.
    """
    before = [it for it in sides.before.findings if _compared(it, sides)]
    after = [it for it in sides.after.findings if _compared(it, sides)]
    pairs = _paired(before, after, 3)
    pairs += _paired(before, after, 2)
    return (
        [_change(it, None) for it in before],
        [_change(None, it) for it in after],
        [_change(was, now) for was, now in pairs],
    )


def _compared(finding: Finding, sides: Sides) -> bool:
    part = _PART.get(finding.kind)
    return part is None or sides.both(part)


def _paired(
    before: list[Finding], after: list[Finding], words: int
) -> list[tuple[Finding, Finding]]:
    """Take the findings out of both lists whose identities begin with the same words."""
    pairs = []
    for was in list(before):
        key = identity(was)[:words]
        # Without code, nothing but the reason tells findings of one kind apart.
        if words == 2 and not key[1]:
            continue
        now = next((it for it in after if identity(it)[:words] == key), None)
        if now is not None:
            before.remove(was)
            after.remove(now)
            pairs.append((was, now))
    return pairs


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
