"""What was recorded of a model in a column: `models/NAME/COLUMN.json`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from validators.diagnose.findings.finding import Verification
from validators.environment.column_name import by_release
from validators.errors import Problem
from validators.evidence.stored.writing import locked, replace_file
from validators.files import read_file

FOLDER = "models"
_VARIES = re.compile(r"\b(?:0x[0-9a-f]{6,}|\d{9,})\b")
"""Addresses and ids of objects, which differ from run to run."""
_NUMBER = re.compile(r"\d+")
"""Guards differ by it from call to call."""


class ModelRecord(Struct, frozen=True, kw_only=True):
    """What the compiler did to a model, and whether its repaired form is a fix.

    `packages` holds the version of each distribution that the model's file imports. `digest` covers
    what the file does. `breaks` is what the part `breaks` of a diagnosis measured, each place with
    the text of its line. `fix` is null if nobody has written a repaired form. `patched` is what
    became of a form that somebody else recommends, null if there is none. What explains the
    findings is not recorded: it follows from the catalog.
    """

    model: str
    column: str
    torch: str
    python: str
    packages: dict[str, str]
    digest: str
    calls: int
    trains: bool
    breaks: dict[str, Any]
    fix: Verification | None
    patched: Verification | None = None


Records = dict[tuple[str, str], ModelRecord]
"""Records by model and column."""


def record_file(folder: Path, model: str, column: str) -> Path:
    """The file of a record in a folder of evidence."""
    return folder / FOLDER / model / f"{column}.json"


def load_records(folder: Path) -> tuple[Records, list[Problem]]:
    """All records of models in a folder of evidence, and the damaged files."""
    found: Records = {}
    damaged = []
    files = (folder / FOLDER).glob("*/*.json")
    for file in sorted(files, key=lambda it: (it.parent.name, by_release(it.stem))):
        try:
            record = msgspec.json.decode(read_file(file), type=ModelRecord)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            message = f"cannot be read ({error}); delete it, and record the model again"
            damaged.append(Problem(file, 0, message))
            continue
        if (file.parent.name, file.stem) != (record.model, record.column):
            damaged.append(Problem(file, 0, "is the record of another model or column; delete it"))
            continue
        found[record.model, record.column] = record
    return found, damaged


def write_record(folder: Path, record: ModelRecord) -> None:
    """Store a record, in place of that of the same model and column."""
    text = msgspec.json.format(msgspec.json.encode(record, order="deterministic"), indent=1)
    with locked(folder):
        replace_file(folder, record_file(folder, record.model, record.column), text + b"\n")


def steady(value: Any) -> Any:
    """Plain data without what differs from run to run."""
    if isinstance(value, str):
        # Signatures expect a number.
        return _VARIES.sub("0", value)
    if isinstance(value, dict):
        return {key: steady(it) for key, it in value.items()}
    return [steady(it) for it in value] if isinstance(value, list) else value


def differences(old: ModelRecord, new: ModelRecord) -> list[str]:
    """What two records of a model disagree about, in words."""
    before, after = dict(_facts(old)), dict(_facts(new))
    return [
        f"{name}: {after.get(name, 'none')}, was {before.get(name, 'none')}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def _facts(record: ModelRecord) -> Iterator[tuple[str, str]]:
    found = record.breaks
    yield "graphs", str(found["graphs"])
    yield "limits", str(len(found["limits"]))
    yield "calls without a graph", str(found["eager_calls"])
    yield "exception", (found["raised"] or {}).get("type", "none")
    for name, it in (("fix", record.fix), ("patched", record.patched)):
        yield name, "none" if it is None else ("refused" if it.refused else "verified")
    for it in found["breaks"]:
        place = "{file}:{line}".format(**it["places"][0]) if it["places"] else "no place"
        yield f"{place}: {it['type']}", str(it["count"])
    again: Counter[str] = Counter()
    for it in found["recompiles"]:
        guard = _NUMBER.sub("N", it["guard"])
        again[f"{it['file']}:{it['line']}: recompiles for {guard}"] += it["count"]
    yield from ((place, str(count)) for place, count in again.items())
