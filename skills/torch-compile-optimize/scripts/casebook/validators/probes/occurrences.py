"""Where in the user's code graphs broke and compiled again, read from the structured trace.

Reports keep no folders; these occurrences do, for code that is not ours.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from torch._logging import structured

from validators.probes import breaks, places, trace
from validators.probes.observation import LIBRARIES
from validators.probes.told import (
    guard_of,
    place_of_limit,
    reasons_of,
    recompilation,
    user_frames,
)

# With a separator: torch_geometric is no part of torch.
_LIBRARIES = tuple(f"{folder}{os.sep}" for folder in LIBRARIES)
_OURS = f"{Path(__file__).parents[1]}{os.sep}"

Occurrence = dict[str, Any]


def break_occurrences(events: trace.Trace) -> list[Occurrence]:
    """One entry per place and type of graph break, however often it broke.

    `places` are the frames of the user's code, innermost first.
    """
    found: dict[str, Occurrence] = {}
    for event in trace._breaks(events):
        seen = breaks.parse_break(event.payload, False, _LIBRARIES)
        stack = _places(event.payload)
        told = {"id": seen.id, "type": seen.type, "text": seen.reason, "places": stack, "count": 0}
        known = found.setdefault(f"{stack[:1]} {seen.id} {seen.type}", told)
        known["count"] += 1
    return list(found.values())


def recompile_occurrences(events: trace.Trace, outermost: tuple[str, str, int]) -> list[Occurrence]:
    """One entry per function and guard, however often it recompiled.

    `outermost` stands for torch's own frame around a decorated forward: name, file and line.
    """
    files = {number: file for file, number in structured.INTERN_TABLE.items()}
    started = {event.compile_id: event.metadata for event in events.named("dynamo_start")}
    found: dict[tuple[str, int, str], Occurrence] = {}
    for event in events.named("recompile_reasons"):
        if event.compile_id not in started:
            continue
        frame = (started[event.compile_id].get("stack") or [{}])[-1]
        name, file = str(frame.get("name", "")), files.get(frame.get("filename"), "")
        line = int(frame.get("line", 0))
        if file.startswith(_LIBRARIES):
            name, file, line = outermost
        reasons = reasons_of(event.payload)
        guard = guard_of(reasons)
        key = (file, line, re.sub(r"\d+", "N", guard))
        first = {"function": name, "file": file, "line": line, "guard": guard, "count": 0}
        known = found.setdefault(key, {**first, "text": recompilation(name, file, line, reasons)})
        known["count"] += 1
    return list(found.values())


def limit_occurrences(warnings: list[str]) -> list[Occurrence]:
    """The functions that reached the recompile limit, as the warnings of Dynamo tell it."""
    limits = [it for it in warnings if "recompile_limit" in it or "cache_size" in it]
    return [{**place_of_limit(it), "text": it} for it in limits]


def _places(payload: str) -> list[Occurrence]:
    """The frames of a break that are not torch's, Python's or ours, innermost first."""
    found = user_frames(payload, lambda file: places._library(file, _LIBRARIES))
    return [it for it in found if not it["file"].startswith(_OURS)]
