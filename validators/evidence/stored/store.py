"""Folders of evidence: two files per case, a folder of fingerprints per column."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from validators.environment import Fingerprint
from validators.environment.column_name import by_release
from validators.environment.column_pattern import COLUMN_PATTERN
from validators.errors import CasebookError, Problem
from validators.evidence.stored import files
from validators.evidence.stored.files import CaseReports, Line
from validators.evidence.stored.record import CASE_PATTERN, Record, ReportData, Reports
from validators.files import read_file
from validators.verdicts import ARMS, Arm

Evidence = dict[tuple[str, str], Record]
"""Records by (case, column)."""
T = TypeVar("T")
_Fingerprints = Mapping[tuple[str, str], Fingerprint]

_CASE = re.compile(CASE_PATTERN)
_COLUMN = re.compile(COLUMN_PATTERN)


def load_evidence(
    folder: Path, damaged: list[Problem] | None = None, *, whole: bool = False
) -> Evidence:
    """All records in `folder`, by case and column; a case's columns are sorted by release.

    A damaged file is skipped and added to `damaged`. Reports are read on first use, which raises a
    CasebookError if their file is damaged; with `whole` they are read at once.

    Raises:
        CasebookError: a file is damaged, and `damaged` is None; the message says which.
    """
    problems: list[Problem] = []
    evidence: Evidence = {}
    with _garbage_collection_paused():
        known = _environments(folder, problems)
        for file in _listed(folder / "verdicts"):
            try:
                for record in _records(file, known, whole=whole):
                    evidence[record.case, record.column] = record
            except _Damaged as damage:
                problems.append(damage.problem)
    _report_damage(problems, damaged)
    return evidence


def load_records(folder: Path, case: str, damaged: list[Problem] | None = None) -> list[Record]:
    """The records of one case with their reports, by column; reads no other case's file.

    Raises:
        CasebookError: a file is damaged, and `damaged` is None; the message says which.
    """
    problems: list[Problem] = []
    records: list[Record] = []
    file = verdicts_file(folder, case)
    if file.exists():
        try:
            records = _records(file, _environments(folder, problems), whole=True)
        except _Damaged as damage:
            problems.append(damage.problem)
    _report_damage(problems, damaged)
    return records


def _report_damage(problems: list[Problem], damaged: list[Problem] | None) -> None:
    """Add `problems` to the list `damaged`; if it is None, raise the first of them."""
    if damaged is not None:
        damaged += problems
    elif problems:
        raise CasebookError(str(problems[0]))


def verdicts_file(folder: Path, case: str) -> Path:
    """The file of a case's verdicts."""
    return folder / "verdicts" / f"{case}.json"


def reports_file(folder: Path, case: str) -> Path:
    """The file of a case's reports."""
    return folder / "reports" / f"{case}.json"


class _Damaged(CasebookError):
    """A file does not hold what belongs at its path; nothing of it is used."""

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
    """The JSON files of a folder, in order; none if the folder is missing."""
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
        try:
            fingerprint = _decoded(file, files.read_environment, "an environment")
            if not _COLUMN.fullmatch(column):
                raise _Damaged(file, "an environment", "its folder's name is not a column's")
        except _Damaged as damage:
            problems.append(damage.problem)
        else:
            found[column, file.stem] = fingerprint
    return found


def _records(file: Path, known: _Fingerprints, *, whole: bool) -> list[Record]:
    """The records of the case whose verdicts are in `file`.

    Raises:
        _Damaged: it is damaged or, with `whole`, the file of their reports is.
    """
    what = "a case's evidence"
    verdicts = _decoded(file, files.read_verdicts, what)
    if not _CASE.fullmatch(file.stem):
        raise _Damaged(file, what, "its name is not a case's")
    kept = _CaseReports(reports_file(file.parent.parent, file.stem))
    records = []
    for column in sorted(verdicts.columns, key=by_release):
        line = verdicts.columns[column]
        if (column, line.environment) not in known:
            raise _Damaged(file, what, f"{column} has no environment {line.environment!r}")
        if line.digest not in verdicts.code:
            raise _Damaged(file, what, f"`code` lacks the digest {line.digest!r}")
        reports = _StoredReports(kept, line, column)
        if whole:
            for arm in ARMS:
                reports.of(arm)
        records.append(
            Record(
                case=file.stem,
                column=column,
                verdict=line.verdict,
                reason=line.reason,
                digest=line.digest,
                judge=line.judge,
                modules=verdicts.code[line.digest],
                fingerprint=known[column, line.environment],
                isolation=line.isolation,
                repeats=line.repeats,
                shows=line.shows,
                cpu_seconds=line.cpu_seconds,
                witnesses=line.witnesses,
                differs=line.differs,
                carried=line.carried,
                reports=reports,
            )
        )
    return records


class _CaseReports:
    """The reports of one case, read on first use."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @cached_property
    def content(self) -> CaseReports:
        """What the file holds."""
        return _decoded(self.file, files.read_reports, "a case's reports")


class _StoredReports(Reports):
    """The reports that the line of one column names."""

    __slots__ = ("_column", "_kept", "_line")

    def __init__(self, kept: _CaseReports, line: Line, column: str) -> None:
        self._kept, self._line, self._column = kept, line, column

    def of(self, arm: Arm) -> ReportData | None:
        """The report of `arm`.

        Raises:
            CasebookError: the file of the case's reports is damaged.
        """
        if not (self._line.symptom if arm == "symptom" else self._line.remedy):
            return None
        try:
            return self._kept.content.of(self._line, self._column, arm)
        except KeyError as key:
            why = f"{key} of {self._column} is missing"
            raise _Damaged(self._kept.file, "a case's reports", why) from None


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection: records form no cycles, and searching them takes long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
