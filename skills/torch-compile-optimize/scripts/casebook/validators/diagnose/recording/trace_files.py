"""Read what `TORCH_TRACE` writes: torch's structured trace, one file for each process."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MODULE = "dynamo_cpp_guards_str"
"""The event that tells the class of a module that torch's own function calls."""
KEPT = (
    *("dynamo_start", "compilation_metrics", "bwd_compilation_metrics", "dynamo_output_graph"),
    MODULE,
)
_ARTIFACTS = re.compile(
    r"dynamo_graph_break_reason|recompile_reasons|torch_version"
    r"|(?:fx_graph|aotautograd)_cache_(?:hit|miss|bypass|hash)"
)
_HEADER = re.compile(
    r"(?:\[rank\d+\]: ?)?[VIWEDC]\d{4} \d\d:\d\d:\d\d\.\d+ (?P<pid>\d+) [^\]]+\] (?P<json>\{.*)"
)
_WANTED = re.compile(f'"(?:str|{"|".join(KEPT)}|{_ARTIFACTS.pattern})"')
_CLASS = re.compile(r"___check_type_id\(L\['fn'\], \d+\), type=<class '(?P<name>[\w.]+)'>")
INSTALLED = "installed"
"""The event that tells torch's folder."""
_INSTALLED = re.compile(r"(.*/torch)/_dynamo/convert_frame\.py$")
_LONGEST = 1 << 20
"""Characters that are kept of one payload."""


@dataclass(frozen=True)
class Event:
    """One record of a trace or a log: what happened in which process (its id) and compilation.

    `compile_id` is Dynamo's "frame/variant", "" outside of a compilation. Frames in `data["stack"]`
    hold `filename` as text. `traced` is false where only a log tells the event.
    """

    name: str
    process: str
    compile_id: str
    data: dict[str, Any] = field(default_factory=dict)
    payload: str = ""
    traced: bool = True


def is_trace(file: Path) -> bool:
    """Whether the first line of `file` is a record of a structured trace."""
    with file.open(encoding="utf-8", errors="replace") as lines:
        return _HEADER.match(lines.readline(_LONGEST)) is not None


def trace_files(path: Path) -> list[Path]:
    """The traces in the folder `path`, or the one file if it is a trace."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [it for it in files if it.is_file() and is_trace(it)]


def read_trace(file: Path) -> Iterator[Event]:
    """The events of a trace that findings are made of, in order.

    A last record that was cut off is left out.
    """
    files: dict[int, str] = {}
    for pid, record, payload in _records(file):
        if "str" in record:
            files[record["str"][1]] = record["str"][0]
            if found := _INSTALLED.match(record["str"][0]):
                yield Event(INSTALLED, pid, "", {"folder": found[1]})
            continue
        name = next((name for name in KEPT if name in record), "")
        data = record.get(name) or {}
        if "artifact" in record:
            name = record["artifact"]["name"]
        if name == MODULE:
            # The guards of one compilation can take a megabyte.
            found = _CLASS.search(payload)
            data, payload = {"class": found["name"] if found else ""}, ""
        if isinstance(data.get("stack"), list):
            data = {**data, "stack": [_named(frame, files) for frame in data["stack"]]}
        yield Event(name, pid, _compile_id(record), data, payload)


def _records(file: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Process id, record and payload of each record that is wanted."""
    current: tuple[str, dict[str, Any]] | None = None
    payload: list[str] = []
    with file.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("\t"):
                if current:
                    payload.append(line[1:])
                continue
            if current:
                yield *current, "".join(payload)[:_LONGEST].rstrip("\n")
            current, payload = _record(line), []
    if current:
        yield *current, "".join(payload)[:_LONGEST].rstrip("\n")


def _record(line: str) -> tuple[str, dict[str, Any]] | None:
    found = _HEADER.match(line) if _WANTED.search(line) else None
    if not found:
        return None
    try:
        record = json.loads(found["json"])
    except ValueError:
        return None
    wanted = any(name in record for name in ("str", *KEPT)) or _ARTIFACTS.fullmatch(
        record.get("artifact", {}).get("name", "")
    )
    return (found["pid"], record) if wanted else None


def _named(frame: dict[str, Any], files: dict[int, str]) -> dict[str, Any]:
    return {**frame, "filename": files.get(frame.get("filename", -1), "")}


def _compile_id(record: dict[str, Any]) -> str:
    """The id in Dynamo's own notation; "" outside a compilation."""
    if record.get("frame_id") is None:
        return ""
    autograd = record.get("compiled_autograd_id")
    prefix = "" if autograd is None else f"!{autograd}/"
    return f"{prefix}{record['frame_id']}/{record.get('frame_compile_id', 0)}"
