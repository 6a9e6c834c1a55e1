"""Evidence files: `COLUMN.jsonl`, a line a case."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from validators.errors import CasebookError, Problem
from validators.evidence.record import DECIDED, Record, same_but_noise

Evidence = dict[tuple[str, str], Record]
"""Records by (case, column)."""

_decoder = msgspec.json.Decoder(Record)
_encoder = msgspec.json.Encoder(order="deterministic")


def load_evidence(*folders: Path) -> Evidence:
    """All records in the folders' files; where two speak of one case and column, the newer.

    Of the same day, a later folder's and a later line replaces an earlier.

    Raises:
        CasebookError: a line is not a record; the message says where.
    """
    evidence: Evidence = {}
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl")):
            records, problems = read_records(file)
            if problems:
                raise CasebookError(str(problems[0]))
            for _, record in records:
                known = evidence.get((record.case, record.column))
                if known is None or known.date <= record.date:
                    evidence[record.case, record.column] = record
    return evidence


def read_records(file: Path) -> tuple[list[tuple[int, Record]], list[Problem]]:
    """The records of one evidence file with their lines, and the lines that are none.

    What follows the last newline is the unfinished line of a killed writer and is left out.
    """
    records, problems = [], []
    with _garbage_collection_paused():
        for number, line in enumerate(file.read_bytes().split(b"\n")[:-1], 1):
            try:
                records.append((number, _decoder.decode(line)))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                message = f"is not a record ({error}); delete the line and run the case again"
                problems.append(Problem(file, number, message))
    return records, problems


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Records have no cycles, and searching them for some takes longer than reading them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def append(folder: Path, record: Record) -> None:
    """Add `record` to its column's file in `folder`, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{record.column}.jsonl").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _drop_unfinished_line(file)
        file.write(_encoder.encode(record) + b"\n")


def merge(folder: Path, records: Iterable[Record]) -> list[Record]:
    """Write `records` into `folder`, a sorted line per case; the ones that changed are returned.

    A record that differs from the stored one in nothing but noise leaves it as it is, and a case
    that is skipped for an unmet need does not undo what was decided where the need was met.
    """
    folder.mkdir(parents=True, exist_ok=True)
    changed = []
    with _locked(folder):
        stored = load_evidence(folder)
        for record in records:
            known = stored.get((record.case, record.column))
            if known is None or _tells_more(record, known):
                stored[record.case, record.column] = record
                changed.append(record)
        for column in {record.column for record in changed}:
            lines = [_encoder.encode(r) for (_, c), r in sorted(stored.items()) if c == column]
            _replace(folder / f"{column}.jsonl", b"\n".join(lines) + b"\n")
    return changed


def _tells_more(record: Record, known: Record) -> bool:
    if record.verdict == "skipped" and known.verdict in DECIDED:
        return False
    return not same_but_noise(known, record)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other writers out of a folder whose files are replaced as a whole."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _drop_unfinished_line(file: BinaryIO) -> None:
    """Cut what a killed writer left after the last newline."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 1, 0))
    if file.read(1) not in (b"", b"\n"):
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)


def _replace(file: Path, content: bytes) -> None:
    temporary = file.with_suffix(".tmp")
    temporary.write_bytes(content)
    temporary.replace(file)
