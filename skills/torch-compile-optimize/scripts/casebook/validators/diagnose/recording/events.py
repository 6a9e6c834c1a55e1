"""Occurrences of graph breaks, recompiles, limits and failures, from the events of one process.

They have the form of `validators.probes.occurrences`, which reads live events and needs torch.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from validators.diagnose.findings.words import CALLED, RESUMED, Found
from validators.diagnose.recording.trace_files import MODULE, Event
from validators.inspector.graphs.recompiles import grouped
from validators.probes.breaks import parse_break
from validators.probes.told import (
    place_of_limit,
    reasons_of,
    user_frames,
)

_LIBRARY = re.compile(
    r"<frozen |(?:site|dist)-packages/torch/|/torch/(?:_dynamo|_inductor|_functorch|nn/modules)/"
    r"|/lib(?:64)?/python\d[\d.]*/(?!(?:site|dist)-packages/)"
)
_OURS = f"{Path(__file__).parents[2]}{os.sep}"
_LIMITED = "Dynamo recompile limit exceeded"
_SKIPPING = "Skipping the function and falling back to eager"
_UNTOLD = "a reason that releases before 2.6 do not record"


def breaks_of(events: list[Event]) -> tuple[list[Found], list[Found]]:
    """Graph breaks, and those after which Dynamo skips the whole frame: one entry per place, type.

    `places` are the frames of the user's code, innermost first.
    """
    told = [it for it in events if it.name == "dynamo_graph_break_reason"]
    named = {it.compile_id for it in told if it.payload.startswith("Graph break")}
    skipped = {it.compile_id for it in events if _without_code(it)} - {""}
    found: tuple[dict[str, Found], dict[str, Found]] = ({}, {})
    for event in told:
        # A backend's refusal is told twice, first without Dynamo's preamble.
        twice = event.compile_id in named and not event.payload.startswith("Graph break")
        if twice or _LIMITED in event.payload:
            continue
        seen = parse_break(event.payload, False, ())
        stack = user_frames(event.payload, foreign)
        entry = {"id": seen.id, "type": seen.type, "text": seen.reason, "places": stack, "count": 0}
        known = found[event.compile_id in skipped or _SKIPPING in event.payload]
        known.setdefault(f"{stack[:1]} {seen.id} {seen.type}", entry)["count"] += 1
    broken = list(found[0].values())
    return broken + _untold(events, broken), list(found[1].values())


def recompiles_of(events: list[Event]) -> list[Found]:
    """Recompilations that were begun: one entry per function and cause."""
    started = frames_of(events)
    refused = {it.compile_id for it in events if it.name == "recompile_limit"}
    return grouped(
        {**_frame_of(event, started), "reasons": reasons_of(event.payload)}
        for event in events
        if event.name == "recompile_reasons" and event.compile_id not in refused
        if not started or event.compile_id in started
    )


def _frame_of(event: Event, started: Mapping[str, Found]) -> Found:
    """The function that a recompilation is of: a log tells it beside the reasons."""
    return event.data if "function" in event.data else started[event.compile_id]


def limits_of(events: list[Event]) -> list[Found]:
    """The functions that reached the recompile limit; a trace tells only the refused attempts."""
    found: dict[tuple[str, int], Found] = {}
    for event in events:
        if event.name == "recompile_limit":
            at = place_of_limit(event.payload)
            told = {**at, "text": event.payload, "count": 1}
            found.setdefault((at["file"], at["line"]), told)
    started = frames_of(events)
    frames = {name.partition("/")[0]: it for name, it in started.items()}
    for event in events:
        frame = frames.get(event.compile_id.partition("/")[0])
        refused = event.name == "recompile_reasons" and event.compile_id not in started
        if frame and started and refused:
            text = "\n".join(["torch._dynamo hit config.recompile_limit", _said_last(event)])
            found.setdefault(
                (frame["file"], frame["line"]), {**frame, "text": text.strip(), "count": 1}
            )
    return list(found.values())


def failures_of(events: list[Event]) -> list[Found]:
    """Compilations that ended with an exception and not with a graph break or a limit."""
    broken = {it.compile_id for it in events if it.name == "dynamo_graph_break_reason"}
    found: dict[tuple[str, int, str], Found] = {}
    for event in events:
        kind, reason = event.data.get("fail_type"), str(event.data.get("fail_reason") or "")
        if event.name != "compilation_metrics" or not kind or "imit" in kind + reason[:40]:
            continue
        if kind == "Unsupported" and event.compile_id in broken:
            continue
        file = event.data.get("fail_user_frame_filename") or event.data.get("co_filename") or ""
        line = event.data.get("fail_user_frame_lineno") or event.data.get("co_firstlineno") or 0
        name = str(event.data.get("co_name") or "")
        entry = {"function": name, "file": file, "line": line, "type": kind, "text": reason}
        found.setdefault((file, line, kind), {**entry, "count": 0})["count"] += 1
    return list(found.values())


def _without_code(event: Event) -> bool:
    """Whether the event is the end of a compilation after which its frame runs eagerly."""
    if event.name != "compilation_metrics" or event.data.get("has_guarded_code") is not False:
        return False
    return event.data.get("fail_type") in (None, "Unsupported")


def _untold(events: list[Event], known: list[Found]) -> list[Found]:
    """Breaks that only the functions compiled after them tell: before 2.6 a trace has no others."""
    if any(it.name == "dynamo_graph_break_reason" and it.traced for it in events):
        return []
    places = {(it["places"][0]["file"], it["places"][0]["line"]) for it in known if it["places"]}
    found: dict[tuple[str, int], Found] = {}
    for event in events:
        frame = _compiled_frame(event) if event.name == "dynamo_start" else None
        resumed = RESUMED.match(frame["function"]) if frame else None
        if not frame or not resumed:
            continue
        place = (frame["file"], int(resumed["line"]))
        if place not in places:
            at = [{"file": place[0], "line": place[1]}]
            entry = {"id": "", "type": _UNTOLD, "text": _UNTOLD, "places": at, "count": 0}
            found.setdefault(place, entry)
            found[place]["count"] += event.compile_id.endswith("/0")
    return [{**it, "count": max(1, it["count"])} for it in found.values()]


def frames_of(events: list[Event]) -> dict[str, Found]:
    """The function of each compilation that began."""
    classes = {it.compile_id: it.data["class"] for it in events if it.name == MODULE}
    return {
        it.compile_id: _compiled_frame(it, classes.get(it.compile_id, ""))
        for it in events
        if it.name == "dynamo_start"
    }


def _compiled_frame(event: Event, module: str = "") -> Found:
    """Name, file and line of the function that was compiled.

    Where that is torch's own, such as the wrapper of a `module` of torch's or of a decorated
    forward, it is the line that called it.
    """
    stack = event.data.get("stack") or [{}]
    users = [it for it in stack if not foreign(it.get("filename", ""))]
    frame = stack[-1] if not users or stack[-1] is users[-1] else users[-1]
    file, line = str(frame.get("filename", "")), int(frame.get("line", 0))
    name = str(frame.get("name", ""))
    if frame is not stack[-1]:
        name = f"{module.rpartition('.')[2]} ({CALLED})" if module else f"what is {CALLED}"
    return {"function": name, "file": file, "line": line}


def foreign(file: str) -> bool:
    """Whether a file is torch's own, of the standard library, or of what makes a target's calls."""
    return file.startswith(_OURS) or bool(_LIBRARY.search(file.replace("\\", "/")))


def _said_last(event: Event) -> str:
    reasons = reasons_of(event.payload)
    return f"   last reason: {reasons[0]}" if reasons else ""
