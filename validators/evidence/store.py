"""Evidence files: `COLUMN.jsonl`, a line a case."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from validators.errors import CasebookError
from validators.evidence.record import Record, same_but_noise

Evidence = dict[tuple[str, str], Record]
"""Records by (case, column)."""

_decoder = msgspec.json.Decoder(Record)
_encoder = msgspec.json.Encoder(order="deterministic")


def load_evidence(*folders: Path) -> Evidence:
    """All records in the folders' files; a later folder's, and a later line, replaces an earlier.

    A last line that its writer did not finish is left out.

    Raises:
        CasebookError: a line is not a record; the message says where.
    """
    evidence: Evidence = {}
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl")):
            for record in _read(file):
                evidence[record.case, record.column] = record
    return evidence


def append(folder: Path, record: Record) -> None:
    """Add `record` to its column's file in `folder`, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    line = _encoder.encode(record) + b"\n"
    with (folder / f"{record.column}.jsonl").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if _ends_torn(file.name):
            line = b"\n" + line
        file.write(line)


def merge(folder: Path, records: Iterable[Record], known: Iterable[str]) -> list[Record]:
    """Write `records` into `folder`, a sorted line per case; the ones that changed are returned.

    A record that differs from the stored one in nothing but noise leaves it as it is. Records of
    cases that are not in `known` are dropped.
    """
    keep = set(known)
    stored = {key: r for key, r in load_evidence(folder).items() if r.case in keep}
    changed = []
    for record in records:
        key = record.case, record.column
        if record.case in keep and not (key in stored and same_but_noise(stored[key], record)):
            stored[key] = record
            changed.append(record)
    for column in {record.column for record in changed}:
        lines = [_encoder.encode(r) for (_, c), r in sorted(stored.items()) if c == column]
        _replace(folder / f"{column}.jsonl", b"\n".join(lines) + b"\n")
    return changed


def _read(file: Path) -> list[Record]:
    lines = file.read_bytes().split(b"\n")
    records = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            records.append(_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if number == len(lines):
                continue
            if _torn(line):
                continue
            raise CasebookError(
                f"{file}:{number}: is not a record ({error}); delete the line and run again"
            ) from None
    return records


def _torn(line: bytes) -> bool:
    """Whether a line is a record's beginning: a writer was killed and a later one went on."""
    return line.startswith(b"{") and not line.rstrip().endswith(b"}")


def _ends_torn(name: str) -> bool:
    with open(name, "rb") as file:
        if not file.seek(0, os.SEEK_END):
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _replace(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_bytes(content)
    temporary.replace(file)
