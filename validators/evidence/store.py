"""Evidence files: `COLUMN.jsonl`, a line a case."""

from __future__ import annotations

import datetime
import fcntl
import gc
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from validators.errors import CasebookError, Problem, naming
from validators.evidence.record import DECIDED, Record, same_but_noise
from validators.files import read_file

Evidence = dict[tuple[str, str], Record]
"""Records by (case, column)."""

COMPACT_BYTES = 8 * 1024 * 1024
"""A file that grows over a multiple of this is rewritten where half of its lines are outdated."""

_decoder = msgspec.json.Decoder(Record)
_encoder = msgspec.json.Encoder(order="deterministic")


def load_evidence(*folders: Path, damaged: list[Problem] | None = None) -> Evidence:
    """All records in the folders' files; where two speak of one case and column, the newer.

    Of the same day, a later folder's and a later line replaces an earlier. Lines that are no
    records are left out and put into `damaged`.

    Raises:
        CasebookError: a line is no record, and there is no `damaged`; the message says where.
    """
    evidence: Evidence = {}
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl")):
            records, problems = read_records(file)
            report_damage(problems, damaged)
            _take_newer(evidence, (record for _, record in records))
    return evidence


def report_damage(problems: list[Problem], damaged: list[Problem] | None) -> None:
    """Put `problems` into `damaged`.

    Raises:
        CasebookError: there are some, and there is no `damaged` to put them into.
    """
    if damaged is not None:
        damaged += problems
    elif problems:
        raise CasebookError(str(problems[0]))


def read_records(file: Path) -> tuple[list[tuple[int, Record]], list[Problem]]:
    """The records of one evidence file with their lines, and the lines that are none.

    An unfinished last line is that of a killed writer and is left out.
    """
    try:
        lines = read_file(file).split(b"\n")
    except OSError as error:
        return [], [Problem(file, 0, f"cannot be read ({error.strerror}); mend the file")]
    records, problems = [], []
    with _garbage_collection_paused():
        for number, line in enumerate(lines, 1):
            try:
                records.append((number, decode_record(line)))
            except ValueError as error:
                if number < len(lines):
                    message = f"is not a record ({error}); delete the line and run the case again"
                    problems.append(Problem(file, number, message))
    return records, problems


def append(folder: Path, record: Record) -> None:
    """Add `record` to its column's file in `folder`, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    line = _encoder.encode(record) + b"\n"
    path = folder / f"{record.column}.jsonl"
    with naming(path), _opened_alone(path) as file:
        size = _end_last_line(file)
        file.write(line)
        file.flush()
        if size // COMPACT_BYTES < (size + len(line)) // COMPACT_BYTES:
            # The record is kept; where there is no room to rewrite, the file only stays large.
            with suppress(OSError):
                _compact(path)


def merge(folder: Path, records: Iterable[Record]) -> list[Record]:
    """Write `records` into `folder`, a sorted line per case; the ones that changed are returned.

    A record that differs from the stored one in nothing but noise leaves it as it is, and a case
    that is skipped for an unmet need does not undo what was decided where the need was met.

    Raises:
        CasebookError: a line of a file to be written is not a record; nothing was written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    columns: dict[str, list[Record]] = {}
    for record in records:
        columns.setdefault(record.column, []).append(record)
    changed = []
    with _locked(folder):
        files = {column: folder / f"{column}.jsonl" for column in columns}
        stored = {column: _stored(file) for column, file in files.items()}
        for column, file in files.items():
            told = [record for record in columns[column] if _take_if_news(stored[column], record)]
            if told:
                _replace(file, stored[column])
            changed += told
    return changed


def _stored(file: Path) -> Evidence:
    """The records of a file that may not be there."""
    stored: Evidence = {}
    if file.exists():
        records, problems = read_records(file)
        report_damage(problems, None)
        _take_newer(stored, (record for _, record in records))
    return stored


def _take_newer(evidence: Evidence, records: Iterable[Record]) -> None:
    for record in records:
        known = evidence.get((record.case, record.column))
        if known is None or known.date <= record.date:
            evidence[record.case, record.column] = record


def _take_if_news(stored: Evidence, record: Record) -> bool:
    """Store `record` if it tells more than what is stored; whether it does."""
    known = stored.get((record.case, record.column))
    if known is not None:
        undoes = record.verdict == "skipped" and known.verdict in DECIDED
        if undoes or same_but_noise(known, record):
            return False
    stored[record.case, record.column] = record
    return True


def decode_record(line: bytes) -> Record:
    """The record in a line of an evidence file.

    Raises:
        ValueError: it is none.
    """
    try:
        record = _decoder.decode(line)
    except RecursionError:
        raise ValueError("it nests too deep") from None
    datetime.date.fromisoformat(record.date)
    return record


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


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other writers out of a folder whose files are replaced as a whole."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _opened_alone(path: Path) -> Iterator[BinaryIO]:
    """The file at `path`, open for appending and locked against other appenders."""
    while True:
        with path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # Who waited for the lock may hold a file that was replaced meanwhile.
            if _is_at(file, path):
                yield file
                return


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _end_last_line(file: BinaryIO) -> int:
    """Cut what a killed writer left after the last newline; returns the size of the file.

    A whole record that only lacks its newline is kept.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 1, 0))
    if file.read(1) in (b"", b"\n"):
        return size
    file.seek(0)
    content = file.read()
    begun = content.rfind(b"\n") + 1
    try:
        decode_record(content[begun:])
    except ValueError:
        return file.truncate(begun)
    return size + file.write(b"\n")


def _compact(path: Path) -> None:
    """Rewrite a locked file without the records that newer ones replace, if they are the half.

    A file with a damaged line is left as it is: somebody may want to mend the line.
    """
    records, problems = read_records(path)
    newest: Evidence = {}
    _take_newer(newest, (record for _, record in records))
    if not problems and len(records) >= 2 * len(newest):
        _replace(path, newest)


def _replace(file: Path, records: Evidence) -> None:
    """Set a file to `records`, sorted; at any moment it is the old one or the new one."""
    temporary = file.with_suffix(".tmp")
    content = b"".join(_encoder.encode(record) + b"\n" for _, record in sorted(records.items()))
    try:
        with naming(file):
            temporary.write_bytes(content)
            temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
