"""Writing evidence: a case's files are replaced as a whole, by one writer per folder at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from validators.errors import naming
from validators.evidence.stored import files
from validators.evidence.stored.files import CaseReports
from validators.evidence.stored.record import Record, ReportData, same_but_noise
from validators.evidence.stored.store import load_records, reports_file, verdicts_file
from validators.files import read_file
from validators.verdicts import DECIDED

_WRITING = ".writing"
"""A folder's temporary file, used under the lock; that of a killed writer is overwritten."""


def write_record(folder: Path, record: Record) -> None:
    """Store `record` in `folder`, replacing that of the same case and column.

    At any moment each file is the old one or the new one. Damaged files of the case are started
    over.
    """
    with locked(folder):
        stored = {it.column: it for it in load_records(folder, record.case, damaged=[])}
        _replace_case(folder, record.case, {**stored, record.column: record})


def merge(folder: Path, records: Iterable[Record]) -> list[Record]:
    """Store `records` in `folder`; return those that changed it.

    A record that differs from the stored one only in noise does not replace it. Neither does a
    case that this machine skipped replace a verdict that was decided where its needs were met.

    Raises:
        CasebookError: a file to be written is damaged; nothing was written.
    """
    cases: dict[str, list[Record]] = {}
    for record in records:
        cases.setdefault(record.case, []).append(record)
    changed = []
    with locked(folder):
        stored = {case: {r.column: r for r in load_records(folder, case)} for case in cases}
        for case, known in stored.items():
            told = [news for record in cases[case] if (news := _take_if_news(known, record))]
            if told:
                _replace_case(folder, case, known)
            changed += told
    return changed


def _take_if_news(stored: dict[str, Record], record: Record) -> Record | None:
    """Store `record` if it says more than the stored one; return what was stored, or None."""
    # Imported here, so that reading records imports no probe.
    from validators.evidence.stored.witnessed import Witnessed

    known = stored.get(record.column)
    if known is not None:
        if (known.digest, known.judge) == (record.digest, record.judge):
            # A run under one backend keeps what was seen under the others.
            old, new = (Witnessed(it.witnesses, it.differs) for it in (known, record))
            seen = old.updated(new)
            record = msgspec.structs.replace(record, witnesses=seen.witnesses, differs=seen.differs)
        unmet = record.verdict == "skipped" and not record.lacks
        undoes = unmet and known.verdict in DECIDED
        measured = record.cpu_seconds and not known.cpu_seconds
        if undoes or (same_but_noise(known, record) and not measured):
            return None
    stored[record.column] = record
    return record


def _replace_case(folder: Path, case: str, records: Mapping[str, Record]) -> None:
    """Set the two files of `case` to `records`.

    After each step, every report that `verdicts` names exists: old reports are removed last.
    """
    verdicts, kept = files.files_of(records.values())
    for record in records.values():
        key = files.environment_key(record.fingerprint)
        place = folder / "environments" / record.column / f"{key}.json"
        if not place.exists():
            replace_file(folder, place, files.environment_text(record.fingerprint))
    file = reports_file(folder, case)
    former = _former(file)
    if not former.keys() <= kept.reports.keys():
        both = CaseReports({**former, **kept.reports}, kept.noise)
        replace_file(folder, file, files.reports_text(both))
    elif kept.reports:
        replace_file(folder, file, files.reports_text(kept))
    replace_file(folder, verdicts_file(folder, case), files.verdicts_text(verdicts))
    if not kept.reports:
        file.unlink(missing_ok=True)
    elif not former.keys() <= kept.reports.keys():
        replace_file(folder, file, files.reports_text(kept))


def _former(file: Path) -> dict[str, ReportData]:
    """The reports in a file; none if it is missing or damaged."""
    try:
        return files.read_reports(read_file(file)).reports
    except (OSError, ValueError, RecursionError):
        return {}


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other writers out of a folder; create it if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def replace_file(folder: Path, file: Path, content: bytes) -> None:
    """Replace a file of the locked `folder`; at any moment it is the old one or the new one."""
    with suppress(OSError):
        if read_file(file) == content:
            return
    temporary = folder / _WRITING
    try:
        with naming(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(content)
            temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
