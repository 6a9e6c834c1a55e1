"""Recompilations that have one cause as one occurrence; reads text, and needs no torch.

Live events and recorded ones tell the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from validators.inspector.graphs.causes import Kind, cause_of, kind_of
from validators.probes.told import guard_of, recompilation

Occurrence = dict[str, Any]
_VALUE = re.compile(r"\d+(?:\.\d+)?|(?<=== )'[^']*'")


def without_values(guard: str) -> str:
    """A guard without its numbers and strings, which differ from call to call."""
    return _VALUE.sub("N", guard)


def grouped(recompiles: Iterable[Occurrence]) -> list[Occurrence]:
    """One entry per function and cause; the text is of the recompilation with most reasons.

    Each of `recompiles` has the function, its file and line, and the reasons.
    """
    groups: dict[tuple[str, int, Kind, str], list[Occurrence]] = {}
    for it in recompiles:
        guard = without_values(guard_of([cause_of(it["reasons"])]))
        key = (it["file"], it["line"], kind_of(it["reasons"]), guard)
        groups.setdefault(key, []).append(it)
    return [_as_one(it) for it in groups.values()]


def _as_one(recompiles: Sequence[Occurrence]) -> Occurrence:
    """The first of some recompilations for one cause, with the text that tells most."""
    first = recompiles[0]
    place = first["function"], first["file"], first["line"]
    return {
        **dict(zip(("function", "file", "line"), place, strict=True)),
        "guard": guard_of([cause_of(first["reasons"])]),
        "count": len(recompiles),
        **_of_callers(recompiles),
        "text": recompilation(*place, max((it["reasons"] for it in recompiles), key=len)),
    }


def _of_callers(recompiles: Sequence[Occurrence]) -> Occurrence:
    """What is known of the callers: of two in one call, if there is such a recompilation."""
    known = max(recompiles, key=lambda it: it.get("same_call", False))
    names = ("argument", "own", "same_call", "callers")
    return {name: known[name] for name in names if name in known}
