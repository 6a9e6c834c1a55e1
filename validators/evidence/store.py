"""Folders of evidence: two files a case, a folder of fingerprints a column."""

from __future__ import annotations

import fcntl
import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from validators.environment import Fingerprint
from validators.errors import CasebookError, Problem, naming
from validators.evidence import files
from validators.evidence.files import CaseReports, Line
from validators.evidence.record import DECIDED, Arm, Record, ReportData, Reports, same_but_noise
from validators.files import read_file

Evidence = dict[tuple[str, str], Record]
"""Records by (case, column)."""
T = TypeVar("T")
_Fingerprints = Mapping[tuple[str, str], Fingerprint]

_WRITING = ".writing"
"""A folder's file in the making, under the lock: a killed writer's is written over."""


def load_evidence(
    folder: Path, damaged: list[Problem] | None = None, *, whole: bool = False
) -> Evidence:
    """All records in `folder`, by case and column.

    Of a damaged file nothing is taken, and it is put into `damaged`. Reports are read when one is
    first asked for, which raises a CasebookError where their file is damaged; with `whole` they are
    read at once.

    Raises:
        CasebookError: a file is damaged, and there is no `damaged`; the message says which.
    """
    problems: list[Problem] = []
    evidence: Evidence = {}
    with _garbage_collection_paused():
        known = _environments(folder, problems)
        for file in _listed(folder / "verdicts"):
            with _collecting(problems):
                for record in _records(file, known, whole=whole):
                    evidence[record.case, record.column] = record
    if damaged is not None:
        damaged += problems
    elif problems:
        raise CasebookError(str(problems[0]))
    return evidence


def load_records(folder: Path, case: str, damaged: list[Problem] | None = None) -> list[Record]:
    """The whole records of one case, by column; no other case's file is read.

    Raises:
        CasebookError: a file is damaged, and there is no `damaged`; the message says which.
    """
    problems: list[Problem] = []
    records: list[Record] = []
    file = verdicts_file(folder, case)
    if file.exists():
        with _collecting(problems):
            records = _records(file, _environments(folder, problems), whole=True)
    if damaged is not None:
        damaged += problems
    elif problems:
        raise CasebookError(str(problems[0]))
    return sorted(records, key=lambda record: record.column)


def verdicts_file(folder: Path, case: str) -> Path:
    """Where the verdicts of a case are."""
    return folder / "verdicts" / f"{case}.json"


def reports_file(folder: Path, case: str) -> Path:
    """Where the reports of a case are."""
    return folder / "reports" / f"{case}.json"


def write_record(folder: Path, record: Record) -> None:
    """Put `record` into `folder` in place of what is there of its case and column.

    At any moment each file is the old one or the new one. Files of the case that are damaged begin
    anew.
    """
    with _locked(folder):
        stored = {it.column: it for it in load_records(folder, record.case, damaged=[])}
        _replace_case(folder, record.case, {**stored, record.column: record})


def merge(folder: Path, records: Iterable[Record]) -> list[Record]:
    """Put `records` into `folder`; the ones that changed are returned.

    A record that differs from the stored one in nothing but noise leaves it as it is, and a case
    that is skipped for an unmet need does not undo what was decided where the need was met.

    Raises:
        CasebookError: a file to be written is damaged; nothing was written.
    """
    cases: dict[str, list[Record]] = {}
    for record in records:
        cases.setdefault(record.case, []).append(record)
    changed = []
    with _locked(folder):
        stored = {case: {r.column: r for r in load_records(folder, case)} for case in cases}
        for case, known in stored.items():
            told = [news for record in cases[case] if (news := _take_if_news(known, record))]
            if told:
                _replace_case(folder, case, known)
            changed += told
    return changed


def _take_if_news(stored: dict[str, Record], record: Record) -> Record | None:
    """Store `record` if it tells more than what is stored, and return what was stored."""
    known = stored.get(record.column)
    if known is not None:
        if known.digest == record.digest:
            # Who runs a proof under one backend need not run it under all.
            witnesses = {**known.witnesses, **record.witnesses}
            record = msgspec.structs.replace(record, witnesses=witnesses)
        undoes = record.verdict == "skipped" and known.verdict in DECIDED
        measured = record.cpu_seconds and not known.cpu_seconds
        if undoes or (same_but_noise(known, record) and not measured):
            return None
    stored[record.column] = record
    return record


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    """Put the problem of a damaged file among `problems`."""
    try:
        yield
    except _Damaged as damage:
        problems.append(damage.problem)


class _Damaged(CasebookError):
    """A file is not what its place says; nothing of it is taken."""

    def __init__(self, file: Path, what: str, why: object) -> None:
        remedy = "restore the file, or delete it and run the case again"
        self.problem = Problem(file, 0, f"is not {what} ({why}); {remedy}")
        super().__init__(str(self.problem))


def _decoded(file: Path, decode: Callable[[bytes], T], what: str) -> T:
    try:
        return decode(read_file(file))
    except OSError as error:
        raise _Damaged(file, what, error.strerror) from None
    except (ValueError, RecursionError) as error:
        raise _Damaged(file, what, error) from None


def _listed(folder: Path) -> list[Path]:
    """The files of a folder that may not be there, in order."""
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(".json")]  # noqa: PTH208
    except (FileNotFoundError, NotADirectoryError):
        return []


def environments_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each environment's column and file."""
    for column in sorted((folder / "environments").glob("*/")):
        yield from ((column.name, file) for file in _listed(column))


def _environments(folder: Path, problems: list[Problem]) -> _Fingerprints:
    """The fingerprints by column and key."""
    found = {}
    for column, file in environments_of(folder):
        with _collecting(problems):
            found[column, file.stem] = _decoded(file, files.read_environment, "an environment")
    return found


def _records(file: Path, known: _Fingerprints, *, whole: bool) -> list[Record]:
    """The records of the case whose verdicts are in `file`.

    Raises:
        _Damaged: it or, if they are to be `whole`, the file of their reports is damaged.
    """
    what = "a case's evidence"
    verdicts = _decoded(file, files.read_verdicts, what)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", file.stem):
        raise _Damaged(file, what, "its name is not a case's")
    reports = _LazyReports(reports_file(file.parent.parent, file.stem))
    records = []
    for column, line in verdicts.columns.items():
        if (column, line.environment) not in known:
            raise _Damaged(file, what, f"{column} has no environment {line.environment!r}")
        if line.digest not in verdicts.code:
            raise _Damaged(file, what, f"`code` lacks the digest {line.digest!r}")
        if whole:
            reports.check(line, column)
        records.append(
            Record(
                case=file.stem,
                column=column,
                verdict=line.verdict,
                reason=line.reason,
                digest=line.digest,
                modules=verdicts.code[line.digest],
                fingerprint=known[column, line.environment],
                isolation=line.isolation,
                repeats=line.repeats,
                shows=line.shows,
                cpu_seconds=line.cpu_seconds,
                witnesses=line.witnesses,
                reports=Reports(read=partial(reports.of, line, column)),
            )
        )
    return records


class _LazyReports:
    """The reports of one case, read when one is first asked for."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._kept: CaseReports | None = None

    def of(self, line: Line, column: str, arm: Arm) -> ReportData | None:
        """The report of `arm` that `line` of `column` names."""
        if not (line.symptom if arm == "symptom" else line.remedy):
            return None
        if self._kept is None:
            self._kept = _decoded(self.file, files.read_reports, "a case's reports")
        try:
            return self._kept.of(line, column, arm)
        except KeyError as key:
            raise _Damaged(self.file, "a case's reports", f"{key} of {column} is missing") from None

    def check(self, line: Line, column: str) -> None:
        """Read what `line` of `column` names."""
        for arm in files.ARMS:
            self.of(line, column, arm)


def _replace_case(folder: Path, case: str, records: Mapping[str, Record]) -> None:
    """Set the two files of `case` to `records`.

    Between any two of these steps what `verdicts` names is there: reports that it named before go
    last.
    """
    verdicts, kept = files.files_of(records.values())
    for record in records.values():
        key = files.environment_key(record.fingerprint)
        place = folder / "environments" / record.column / f"{key}.json"
        if not place.exists():
            _replace(folder, place, files.environment_text(record.fingerprint))
    file = reports_file(folder, case)
    former = _former(file)
    if not former.keys() <= kept.reports.keys():
        both = CaseReports({**former, **kept.reports}, kept.noise)
        _replace(folder, file, files.reports_text(both))
    elif kept.reports:
        _replace(folder, file, files.reports_text(kept))
    _replace(folder, verdicts_file(folder, case), files.verdicts_text(verdicts))
    if not kept.reports:
        file.unlink(missing_ok=True)
    elif not former.keys() <= kept.reports.keys():
        _replace(folder, file, files.reports_text(kept))


def _former(file: Path) -> dict[str, ReportData]:
    """The reports that a file holds which may be missing or damaged."""
    try:
        return files.read_reports(read_file(file)).reports
    except (OSError, ValueError, RecursionError):
        return {}


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
    """Keep other writers out of a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(folder: Path, file: Path, content: bytes) -> None:
    """Set a file of the locked `folder`; at any moment it is the old one or the new one."""
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
