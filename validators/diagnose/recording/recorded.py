"""What a recorded trace or log tells, in the form that the part `breaks` of a diagnosis has."""

from __future__ import annotations

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from validators.diagnose.findings.words import CALLED, Found
from validators.diagnose.recording.events import (
    breaks_of,
    failures_of,
    frames_of,
    limits_of,
    recompiles_of,
)
from validators.diagnose.recording.log_messages import PARTIAL, Message, event_of, read_messages
from validators.diagnose.recording.trace_files import INSTALLED, Event, is_trace, read_trace
from validators.errors import CasebookError
from validators.match import read_lines
from validators.match.log_lines import torch_release

RECORD = 'set TORCH_TRACE to a folder, or TORCH_LOGS="graph_breaks,recompiles", and run it again'
"""How to get something that can be read."""
_BREAK = "dynamo_graph_break_reason"
_CACHES = re.compile(r"(fx_graph|aotautograd)_cache_(hit|miss|bypass)")


@dataclass
class Recording:
    """The events of traces and logs, the lines of logs that tell no event, and torch's release."""

    events: list[Event] = field(default_factory=list)
    rest: list[tuple[int, str]] = field(default_factory=list)
    torch: str = ""
    traces: int = 0
    logged: bool = False


def read_recording(path: Path) -> Recording:
    """The traces and logs in the folder `path`, or the one file.

    Raises:
        CasebookError: it holds no trace and no text.
    """
    if not path.exists():
        raise CasebookError(f"{path}: is not there; name a trace, a log or a folder of traces")
    files = sorted(it for it in path.rglob("*") if it.is_file()) if path.is_dir() else [path]
    readable = [it for it in files if not _is_binary(it)]
    found = Recording()
    written = 0.0
    for file in readable:
        if is_trace(file):
            found.traces += 1
            found.events += read_trace(file)
            written = max(written, file.stat().st_mtime)
    for file in readable:
        # Beside traces a folder may hold anything; only logs are expected there.
        if not is_trace(file) and (not path.is_dir() or file.suffix in (".log", ".txt", ".err")):
            _read_log(file, found)
    if not path.is_dir() and not readable:
        raise CasebookError(f"{path}: is a binary file, not a trace or a log; {RECORD}")
    found.torch = found.torch or _release(found.events) or _installed(found.events, written)
    return found


def occurrences(recording: Recording) -> Found:
    """Graph breaks, recompiles, limits and failures, and what compiling took.

    Counts are of the process that has most of them: the ranks of a run compile the same code.
    """
    by_process: dict[str, list[Event]] = defaultdict(list)
    for event in recording.events:
        by_process[event.process].append(event)
    each = [_of_process(events) for events in by_process.values()] or [_of_process([])]
    found: Found = {
        name: _united([one[name] for one in each])
        for name in ("breaks", "skipped", "recompiles", "limits", "failures")
    }
    compiled = sorted((it for one in each for it in one["compilations"]), key=_seconds)
    return {
        **found,
        "calls": 0,
        "rounds": 1,
        "raised": None,
        "eager_calls": [],
        "processes": max(1, len(by_process)),
        "graphs": max(one["graphs"] for one in each),
        "compilations": compiled[::-1],
        "caches": _caches(recording.events),
    }


def _of_process(events: list[Event]) -> Found:
    events = _once(events)
    broken, skipped = breaks_of(events)
    return {
        "breaks": broken,
        "skipped": skipped,
        "recompiles": recompiles_of(events),
        "limits": limits_of(events),
        "failures": failures_of(events),
        "graphs": sum(it.name == "dynamo_output_graph" for it in events),
        "compilations": list(_compilations(events)),
    }


def _once(events: list[Event]) -> list[Event]:
    """The events without those of a log that the trace tells as well."""
    traced = {(it.name, it.compile_id) for it in events if it.traced}
    kept = [it for it in events if it.traced or (it.name, it.compile_id) not in traced]
    broken = {it.compile_id for it in kept if it.name == _BREAK}
    partial = {it.compile_id: it for it in kept if it.name == PARTIAL}
    added = [replace(it, name=_BREAK) for key, it in partial.items() if key not in broken]
    return [it for it in kept if it.name != PARTIAL] + added


def _united(found: Iterable[list[Found]]) -> list[Found]:
    """The same occurrences of several processes as one, with the largest count."""
    known: dict[str, Found] = {}
    for one in found:
        for it in one:
            key = repr({name: value for name, value in it.items() if name not in ("count", "text")})
            first = known.setdefault(key, it)
            first["count"] = max(first["count"], it["count"])
    return list(known.values())


def _compilations(events: list[Event]) -> Iterator[Found]:
    """Each compilation with its function, its seconds and the ops that it compiled."""
    frames = frames_of(events)
    for event in events:
        if event.name == "compilation_metrics":
            data = event.data
            told = (data.get(f"co_{it}") for it in ("name", "filename", "firstlineno"))
            frame = dict(zip(("function", "file", "line"), told, strict=True))
            known = frames.get(event.compile_id, frame)
            # A frame has the line that runs, which is another one where a function resumes.
            frame = known if CALLED in str(known["function"]) else frame
            yield {
                "id": event.compile_id,
                "process": event.process,
                "function": frame["function"] or "",
                "file": frame["file"] or "",
                "line": frame["line"] or 0,
                "seconds": data.get("entire_frame_compile_time_s") or 0.0,
                "ops": data.get("graph_op_count") or 0,
            }


def _seconds(compilation: Found) -> float:
    return float(compilation["seconds"])


def _caches(events: list[Event]) -> dict[str, int]:
    """How often Inductor's and AOTAutograd's caches were hit, missed or bypassed."""
    names = [it.name for it in events if _CACHES.fullmatch(it.name)]
    # Releases before 2.6 say it in the payload.
    names += [
        f"fx_graph_cache_{state[1]}"
        for it in events
        if it.name == "fx_graph_cache_hash"
        if (state := re.search(r'"cache_state": "(\w+)"', it.payload))
    ]
    return dict(Counter(names))


def _release(events: list[Event]) -> str:
    """The release that a trace names: 2.11 and later do."""
    for event in events:
        version = event.data.get("pytorch_version")
        if event.name == "torch_version":
            told = re.search(r"\d+\.\d+\.\d+[\w.+]*", event.payload)
            version = told[0] if told else version
        if version:
            return str(version)
    return ""


def _installed(events: list[Event], written: float) -> str:
    """The release in the folder that a trace names, if nothing was installed there since."""
    for event in events:
        if event.name == INSTALLED:
            file = Path(event.data["folder"]) / "version.py"
            with contextlib.suppress(OSError):
                changed = max(file.stat().st_mtime, file.stat().st_ctime)
                told = re.search(r"^__version__ = '([^']+)'", file.read_text(), re.MULTILINE)
                if told and changed <= written:
                    return told[1]
    return ""


def _read_log(file: Path, found: Recording) -> None:
    with file.open("rb", buffering=0) as stream:
        for message in read_messages(read_lines(stream)):
            event = event_of(message)
            found.logged = found.logged or bool(message.level)
            if event:
                found.events.append(event)
            else:
                found.rest += _unread(message, found)


def _unread(message: Message, found: Recording) -> list[tuple[int, str]]:
    for _, text in message.lines:
        found.torch = found.torch or torch_release(text)
    return message.lines


def _is_binary(file: Path) -> bool:
    with file.open("rb") as stream:
        start = stream.read(8192)
    return b"\0" in start and start[:2] not in (b"\xff\xfe", b"\xfe\xff")
