"""What torch's messages about graph breaks and recompiles tell; reads text, and needs no torch.

A live trace and a recorded one hold the same messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from validators.probes import breaks, places

_END = re.compile(r'^    Traceback:\n +File "(.+)", line (\d+)', re.MULTILINE)
_LIMIT = re.compile(r"function: '(?P<function>\S+?)'? \((?P<file>.+):(?P<line>\d+)\)'?")
_GRAPH = re.compile(r"^!?\d+/\d+: ")


def user_frames(payload: str, foreign: Callable[[str], bool]) -> list[dict[str, Any]]:
    """The frames of a break in files that are not `foreign`, innermost first.

    If all are foreign, the innermost frame counts.
    """
    text = payload.partition("Traceback (most recent call last)")[0]
    header = breaks._HEADER.search(text)
    # Where a backend refuses a graph, the other places tell where it begins and this where it ends.
    ends = _END.search(text)
    stack = places.frames(text.partition("User code traceback:")[2] or text)
    found = [*(it.groups() for it in (ends, header) if it), *stack]
    kept = [frame for frame in found if not foreign(frame[0])] or found[:1]
    return [{"file": file, "line": int(line)} for file, line in dict.fromkeys(kept)]


def reasons_of(payload: str) -> list[str]:
    """The reasons of a recompilation: a JSON list of texts, or one as plain text."""
    try:
        told = json.loads(payload)
    except ValueError:
        told = payload
    return [it.strip() for it in ([told] if isinstance(told, str) else told)]


def guard_of(reasons: list[str]) -> str:
    """The guard that failed first, without the id of its graph and the comment; "" if none did."""
    first = reasons[0].split("\n")[0].partition("  #")[0] if reasons else ""
    return _GRAPH.sub("", first).strip()


def recompilation(name: str, file: str, line: int, reasons: list[str]) -> str:
    """A recompilation in the words of `TORCH_LOGS=recompiles`."""
    first = f"Recompiling function {name} in {file}:{line}"
    guards = [f"    - {reason}" for reason in reasons]
    return "\n".join([first, "    triggered by the following guard failure(s):", *guards])


def place_of_limit(message: str) -> dict[str, Any]:
    """The function that reached the recompile limit, its file and line; "" and 0 if untold."""
    place = _LIMIT.search(message)
    where = place.groupdict() if place else {"function": "", "file": "", "line": "0"}
    return {**where, "line": int(where["line"])}
