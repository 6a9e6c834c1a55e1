"""Read what `TORCH_LOGS` prints: the messages of torch's loggers in a text.

A message has several lines, each with the logger's prefix. A CI system may put its own prefix, such
as a time or the rank of a process, in front.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from validators.diagnose.recording.trace_files import Event

_HEADER = re.compile(
    r"(?P<level>[VIWEDC])\d{4} (?P<time>\d\d:\d\d:\d\d\.\d+) (?P<pid>\d+) (?P<source>[^\] ]+)\]"
    r"(?: \[(?P<id>!?[\d/_]+)\])?(?: \[(?P<log>__\w+)\])? ?(?P<text>.*)"
)
_OLD_HEADER = re.compile(
    r"\[(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+)\] (?:\[(?P<id>[\d/_]+)\] )?"
    r"(?P<source>torch[\w.]*?)(?:\.(?P<log>__\w+))?: \[(?P<level>[A-Z]+)\] ?(?P<text>.*)"
)
_BREAK = re.compile(
    r"Graph break(?: in user code at |: from user code at|: .* from user code at| \()"
)
_RECOMPILE = re.compile(r"Recompiling function (?P<function>\S+) in (?P<file>.+):(?P<line>\d+)")
_LIMIT = re.compile(r"torch\._dynamo hit config\.\w+")
_COMPILING = re.compile(
    r"COMPILING GRAPH due to GraphCompileReason\(reason=(?P<reason>.+?), "
    r"user_stack=\[(?P<stack>.*)\], graph_break=True",
    re.DOTALL,
)
PARTIAL = "partial_graph"
"""The event of a graph that ends at a break; a message about the break may tell more."""
_BEGINNINGS = (_BREAK, _RECOMPILE, _LIMIT, _COMPILING)
_SUMMARY = re.compile(r"<FrameSummary file (.+?), line (\d+) in (.+?)>")
_REASON = re.compile(r"^!?\d+/\d+(?:_\d+)?: ")
_BULLET = re.compile(r"^\s+- ")


@dataclass
class Message:
    """One message of a logger: its prefix, and the numbers and texts of its lines."""

    level: str
    process: str
    compile_id: str
    log: str
    lines: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The message without prefixes."""
        return "\n".join(text for _, text in self.lines)


def is_added(line: str) -> bool:
    """Whether only `TORCH_LOGS` makes torch print the line: a message below the level of info."""
    found = _HEADER.search(line)
    return found is not None and found["level"] in "VD"


def read_messages(lines: Iterable[tuple[int, str]]) -> Iterator[Message]:
    """The messages in numbered lines, in order; other lines are messages without a level.

    What somebody copied without the loggers' prefixes is put together by its words.
    """
    current: Message | None = None
    key: tuple[str, ...] = ()
    for number, line in lines:
        found = _HEADER.search(line) or _OLD_HEADER.search(line)
        parts = found.groupdict() if found else {}
        now = tuple(str(parts.get(name)) for name in ("pid", "time", "source", "id"))
        text = parts.get("text", line)
        if current is None or now != key or not _continues(current, text):
            if current is not None:
                yield current
            named = parts.get("pid") or "", _plain(parts.get("id"))
            current, key = Message(parts.get("level", ""), *named, parts.get("log") or ""), now
        current.lines.append((number, text))
    if current is not None:
        yield current


def event_of(message: Message) -> Event | None:
    """What a message says in the form of a trace, None if it is about something else."""
    text = message.text

    def event(name: str, data: dict[str, Any], payload: str) -> Event:
        return Event(name, message.process, message.compile_id, data, payload, traced=False)

    if found := _RECOMPILE.match(text):
        data = {**found.groupdict(), "line": int(found["line"])}
        return event("recompile_reasons", data, json.dumps(_reasons(text)))
    if _LIMIT.match(text):
        return event("recompile_limit", {}, text)
    if (message.log == "__graph_breaks" or not message.level) and _BREAK.match(text):
        return event("dynamo_graph_break_reason", {}, _as_traced(text))
    if found := _COMPILING.match(text):
        return event(PARTIAL, {}, _partial(found))
    return None


def _continues(message: Message, text: str) -> bool:
    """Whether a line with the same prefix as the message before it belongs to it."""
    if any(it.match(text) for it in _BEGINNINGS):
        return False
    if message.level:
        return True
    first = message.lines[0][1]
    if _BREAK.match(first):
        inside = not any(line == "User code traceback:" for _, line in message.lines)
        return inside or text.startswith(" ")
    return any(it.match(first) for it in _BEGINNINGS) and text.startswith(" ")


def _plain(compile_id: str | None) -> str:
    """The id without the number of the attempt."""
    return (compile_id or "").partition("_")[0]


def _reasons(text: str) -> list[str]:
    """The failed guards; what follows one, such as its stack, belongs to it."""
    found: list[str] = []
    for line in text.splitlines():
        if not _BULLET.match(line):
            continue
        reason = _BULLET.sub("", line)
        if _REASON.match(reason) or not found:
            found.append(reason)
        else:
            found[-1] += f"\n{reason}"
    return found


def _as_traced(text: str) -> str:
    """A break's message in the words of a trace: releases before 2.6 print a traceback instead."""
    stack, raised, error = text.partition("\nTraceback (most recent call last):\n")
    if text.startswith("Graph break in user code at ") or not raised:
        return re.sub(r"^Graph break \([^)]*\) in", "Graph break in", text)
    reason = error.rstrip().rpartition("\ntorch._dynamo.exc.")[2].partition(": ")[2] or error
    place = re.findall(r'File "(.+)", line (\d+)', stack)
    return _payload(reason, place[-1] if place else None, stack.partition("\n")[2])


def _partial(found: re.Match[str]) -> str:
    frames = _SUMMARY.findall(found["stack"])
    told = "\n".join(f'  File "{file}", line {line}, in {name}' for file, line, name in frames)
    return _payload(found["reason"].strip("'\""), frames[-1][:2] if frames else None, told)


def _payload(reason: str, place: tuple[str, ...] | None, stack: str) -> str:
    at = f" in user code at {place[0]}:{place[1]}" if place else ""
    return f"Graph break{at}\nGraph Break Reason: {reason}\nUser code traceback:\n{stack}"
