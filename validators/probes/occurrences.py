"""Where in the user's code graphs broke and compiled again, read from the structured trace.

Reports keep no folders; these occurrences do, for code that is not ours.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from torch._logging import structured

from validators.probes import breaks, places, trace
from validators.probes.observation import LIBRARIES

_OURS = str(Path(__file__).parents[1])
_LIMIT = re.compile(r"function: '(?P<function>\S+) \((?P<file>.+):(?P<line>\d+)\)'")

Occurrence = dict[str, Any]


def break_occurrences(events: trace.Trace) -> list[Occurrence]:
    """One entry per place and type of graph break, however often it broke.

    `places` are the frames of the user's code, innermost first.
    """
    found: dict[str, Occurrence] = {}
    for event in trace._breaks(events):
        seen = breaks.parse_break(event.payload, False, LIBRARIES)
        stack = _user_frames(event.payload)
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
        if file.startswith(LIBRARIES):
            name, file, line = outermost
        reasons = _reasons(event.payload)
        guard = _guard(reasons[0]) if reasons else ""
        key = (file, line, re.sub(r"\d+", "N", guard))
        first = {"function": name, "file": file, "line": line, "guard": guard, "count": 0}
        known = found.setdefault(key, {**first, "text": _said(name, file, line, reasons)})
        known["count"] += 1
    return list(found.values())


def limit_occurrences(warnings: list[str]) -> list[Occurrence]:
    """The functions that reached the recompile limit, as the warnings of Dynamo tell it."""
    return [_limit(it) for it in warnings if "recompile_limit" in it or "cache_size" in it]


def _limit(message: str) -> Occurrence:
    place = _LIMIT.search(message)
    where = place.groupdict() if place else {"function": "", "file": "", "line": "0"}
    return {**where, "line": int(where["line"]), "text": message}


def _reasons(payload: str) -> list[str]:
    """The reasons of a recompilation: a JSON list of texts, or one as plain text."""
    try:
        told = json.loads(payload)
    except ValueError:
        told = payload
    return [it.strip() for it in ([told] if isinstance(told, str) else told)]


def _guard(reason: str) -> str:
    """The guard that failed, without the id of its graph and the comment."""
    first = reason.split("\n")[0].partition("  #")[0]
    return re.sub(r"^\d+/\d+: ", "", first).strip()


def _said(name: str, file: str, line: int, reasons: list[str]) -> str:
    """A recompilation in the words of `TORCH_LOGS=recompiles`."""
    lines = [
        f"Recompiling function {name} in {file}:{line}",
        "    triggered by the following guard failure(s):",
    ]
    return "\n".join([*lines, *(f"    - {reason}" for reason in reasons)])


def _user_frames(payload: str) -> list[Occurrence]:
    """The frames of a break that are not torch's, Python's or ours, innermost first."""
    text = payload.partition("Traceback (most recent call last)")[0]
    header = breaks._HEADER.search(text)
    stack = places.frames(text.partition("User code traceback:")[2] or text)
    found = [*([(header[1], header[2])] if header else []), *stack]
    kept = [frame for frame in found if not places._library(frame[0], LIBRARIES)]
    kept = [frame for frame in kept or found[:1] if not frame[0].startswith(_OURS)]
    return [{"file": file, "line": int(line)} for file, line in dict.fromkeys(kept)]
