"""Checks of the evidence: its files, and what it says of the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec

from validators.catalog import Case, Catalog, expected_to_hold
from validators.catalog.page import line_of, split_page
from validators.environment import column_of
from validators.errors import Problem
from validators.evidence import Record, Verdict, is_current
from validators.evidence.store import read_records
from validators.probes.report import Report
from validators.versions import version_of

RUN = "python -m validators run-all --record"
_SHOWS: dict[Verdict, list[dict[str, bool]]] = {
    "confirmed": [{"symptom": True, "remedy": False}],
    "remedy-failed": [{"symptom": True, "remedy": True}],
    "refuted": [{"symptom": False, "remedy": False}, {"symptom": False, "remedy": True}],
}
"""What `shows` can have said for each verdict that it decides."""


@dataclass(frozen=True)
class EvidenceFile:
    """One file of evidence: its records with their lines, and what keeps it from being one."""

    path: Path
    records: list[tuple[int, Record]]
    problems: list[Problem]


def read_folder(folder: Path) -> list[EvidenceFile]:
    """The evidence files of a folder."""
    return [_read(path) for path in sorted(folder.glob("*.jsonl"))]


def check_evidence(
    files: list[EvidenceFile], catalog: Catalog, names: Set[str]
) -> Iterator[Problem]:
    """Defects of evidence files, and records that the catalog does not expect."""
    for file in files:
        yield from file.problems
        yield from _order(file)
        for line, record in file.records:
            for message in _record(record, file.path.stem, catalog, names):
                yield Problem(file.path, line, f"{record.case}: {message}")
        yield from _stale(file, catalog)
    records = [record for file in files for _, record in file.records]
    yield from _fixed_upstream(catalog, records)


def _read(path: Path) -> EvidenceFile:
    records, problems = read_records(path)
    if path.is_file() and not path.read_bytes().endswith(b"\n"):
        message = "ends in an unfinished line; delete it and run the case again"
        problems.append(Problem(path, 0, message))
    return EvidenceFile(path, records, problems)


def _order(file: EvidenceFile) -> Iterator[Problem]:
    lines: dict[str, int] = {}
    for line, record in file.records:
        if record.case in lines:
            message = f"{record.case}: has a record in line {lines[record.case]}; delete the older"
            yield Problem(file.path, line, message)
        lines[record.case] = line
    for before, after in pairwise(lines):
        if after < before:
            message = f"{after}: stands after {before}; sort the lines by case"
            yield Problem(file.path, lines[after], message)
            return


def _record(record: Record, column: str, catalog: Catalog, names: Set[str]) -> Iterator[str]:
    if record.column != column:
        yield f"belongs to {record.column}, not to this file; move it to {record.column}.jsonl"
    if column_of(record.fingerprint) != record.column:
        yield f"column {record.column} is not that of its fingerprint; run it again with `{RUN}`"
        return
    case = catalog.by_name.get(record.case)
    if case is None:
        if record.case not in names:
            yield "is no case; delete the line"
        return
    # A stale report may be of an older kind, and waits for whoever has its environment.
    if is_current(case, record, catalog.root) and (flaw := _flaw(record)):
        yield f"{flaw}; run it again with `{RUN}`"
    possible = _SHOWS.get(record.verdict)
    if possible and record.shows not in possible:
        yield f"`shows` contradicts the verdict {record.verdict}; run it again with `{RUN}`"
    if record.verdict == "error" and not case.retired:
        yield f"ended in an error ({record.reason}); mend the proof and run it again"
    elif record.verdict not in ("confirmed", "skipped") and _expected(case, record):
        yield f"is {record.verdict} where `holds` expects confirmed; correct `holds` or the claim"


def _flaw(record: Record) -> str:
    """What no probe has written in the record's reports; "" where nothing is."""
    for arm in ("symptom", "remedy"):
        try:
            msgspec.convert(getattr(record, arm), Report | None, strict=False)
        except msgspec.ValidationError as error:
            return f"its {arm} is no report of a probe ({error})"
    return ""


def _expected(case: Case, record: Record) -> bool:
    mark = record.fingerprint
    if case.retired or mark.device not in case.meta.devices:
        return False
    return expected_to_hold(case.meta, mark.torch, mark.device, mark.python)


def _stale(file: EvidenceFile, catalog: Catalog) -> Iterator[Problem]:
    """One problem for all stale records of a file: an edit of a probe makes many at once.

    Anyone can renew a CPU's records. A GPU's wait for a GPU, shown as stale wherever they appear.
    """
    stale = [
        (line, record.case)
        for line, record in file.records
        if record.fingerprint.device == "cpu"
        and (case := catalog.by_name.get(record.case))
        and not case.retired
        and not is_current(case, record, catalog.root)
    ]
    if stale:
        names = ", ".join(name for _, name in stale[:3]) + (", ..." if stale[3:] else "")
        message = f"{len(stale)} stale, their cases have changed ({names}); run them with `{RUN}`"
        yield Problem(file.path, stale[0][0], message)


def _fixed_upstream(catalog: Catalog, records: Iterable[Record]) -> Iterator[Problem]:
    """Limitations still confirmed on a release that is said to have the fix.

    Of practices and retractions it is not names what an upstream fix would change. A prerelease
    may come from before the fix, so here it counts as earlier than its release.
    """
    for record in records:
        case = catalog.by_name.get(record.case)
        if case is None or case.meta.kind != "limitation" or record.verdict != "confirmed":
            continue
        for entry in case.meta.upstream:
            fixed = entry.fixed_in and version_of(entry.fixed_in)
            if fixed and version_of(record.fingerprint.torch) >= fixed:
                line = line_of(split_page(case.page)[0], "upstream")
                message = (
                    f"`fixed_in` {entry.fixed_in} of {entry.issue}: {record.column} still "
                    "confirms the claim; correct `fixed_in` or the proof"
                )
                yield Problem(case.page, line, message)
