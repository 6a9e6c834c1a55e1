"""Checks of the evidence: it agrees with the catalog, and machines wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from validators.catalog import Catalog
from validators.catalog.page import line_of, split_page
from validators.checks.recorded.holds import suggestion, unexpected
from validators.environment import column_of
from validators.errors import Problem
from validators.evidence import Evidence, Record
from validators.evidence.coverage import on_cpu
from validators.evidence.status import applies, device_of, expects
from validators.evidence.stored.files import environment_key, key_of, read_reports
from validators.evidence.stored.record import quiet, typed
from validators.evidence.stored.store import environments_of, verdicts_file
from validators.files import read_file
from validators.repository import Repository
from validators.verdicts import ARMS, DECIDED, Verdict
from validators.versions import version_of

RUN = "python -m validators run-all --record"
REJUDGE = "python -m validators rejudge"
_SHOWS: dict[Verdict, list[dict[str, bool]]] = {
    "confirmed": [{"symptom": True, "remedy": False}],
    "remedy-failed": [
        {"symptom": True, "remedy": True},
        {"symptom": True, "remedy": False},
        {"symptom": True},
    ],
    "refuted": [{"symptom": False, "remedy": False}, {"symptom": False, "remedy": True}],
}
"""The answers of `shows` that fit each verdict."""


def check_evidence(repository: Repository) -> Iterator[Problem]:
    """Records that the catalog does not expect, and files that somebody edited."""
    folder, evidence = repository.committed, repository.evidence
    for (case, column), record in evidence.items():
        for message in _record(record, repository):
            yield Problem(
                verdicts_file(folder, case), _line(folder, record), f"{column}: {message}"
            )
    yield from _not_as_on_cpu(repository)
    yield from _stale(repository)
    yield from _fixed_upstream(repository.catalog, evidence.values())
    yield from _edited_reports(folder, evidence)
    yield from _edited_environments(folder, evidence)


def _line(folder: Path, record: Record) -> int:
    """The line of a record's column in its case's file; 0 if it is not found."""
    content = read_file(verdicts_file(folder, record.case))
    before, found, _ = content.partition(f'{record.column}": {{'.encode())
    return before.count(b"\n") + 1 if found else 0


def _record(record: Record, repository: Repository) -> Iterator[str]:
    if column_of(record.fingerprint) != record.column:
        yield f"the fingerprint belongs to another column; run it again with `{RUN}`"
        return
    case = repository.catalog.by_name.get(record.case)
    if case is None:
        if record.case not in repository.names:
            yield f"{record.case} is not a case; delete its two files"
        return
    # A stale report may have an older shape, and only a machine with its environment renews it.
    if repository.freshness.is_current(case, record):
        yield from _flaws(record)
    possible = _SHOWS.get(record.verdict)
    if possible and record.shows not in possible:
        yield f"`shows` contradicts the verdict {record.verdict}; run it again with `{RUN}`"
    if case.retired:
        return
    if record.verdict == "error":
        yield f"ended in an error ({record.reason}); fix the proof and run it again"
        return
    meant = applies(case, record.column) and expects(case, record)
    if meant and record.verdict not in ("confirmed", "undecided", "skipped"):
        yield f"is {record.verdict} where `holds` expects confirmed; correct `holds` or the claim"
    elif unexpected(case, record) and repository.freshness.is_current(case, record):
        yield f"is confirmed where `holds` does not expect it; {suggestion(case, repository)}"


def _flaws(record: Record) -> Iterator[str]:
    """A message on the first report of the record that no probe wrote."""
    for arm in ARMS:
        try:
            typed(record.reports.of(arm))
        except ValueError as error:
            yield f"its {arm} is not a probe's report ({error}); run it again with `{RUN}`"
            return


def _not_as_on_cpu(repository: Repository) -> Iterator[Problem]:
    """Claims about tracing that come out differently on CUDA tensors: a person has to say why."""
    for (name, column), record in repository.evidence.items():
        case = repository.catalog.by_name.get(name)
        if case is None or case.meta.compiled != "tracing" or device_of(column) != "compiled":
            continue
        verdict = repository.status_of(case, column).state
        other = repository.status_of(case, on_cpu(column)).state
        if verdict != other and {verdict, other} <= set(DECIDED):
            message = f"{column}: is {verdict}, but {other} on {on_cpu(column)}"
            yield Problem(
                verdicts_file(repository.committed, name),
                _line(repository.committed, record),
                f"{message}; read torch's source, and correct the proof or remove `compiled`",
            )


def _stale(repository: Repository) -> Iterator[Problem]:
    """One problem for all stale records of a column: editing a probe makes many at once.

    Anyone can renew a CPU's records, and judge any column's reports again. Where a GPU has to run
    again, the records wait for it, and are shown as stale.
    """
    stale: dict[tuple[str, str], list[str]] = {}
    for (name, column), record in repository.evidence.items():
        case = repository.catalog.by_name.get(name)
        if case is None or case.retired or repository.freshness.is_current(case, record):
            continue
        if record.verdict != "undecided" and repository.freshness.ran_alike(case, record):
            stale.setdefault((column, REJUDGE), []).append(name)
        elif record.fingerprint.device == "cpu":
            stale.setdefault((column, RUN), []).append(name)
    for (column, command), names in stale.items():
        some = ", ".join(names[:3]) + (", ..." if names[3:] else "")
        verb = "judge" if command == REJUDGE else "run"
        message = f"{len(names)} stale, since their cases changed ({some})"
        yield Problem(repository.committed, 0, f"{column}: {message}; {verb} them with `{command}`")


def _fixed_upstream(catalog: Catalog, records: Iterable[Record]) -> Iterator[Problem]:
    """Limitations still confirmed on a release that is said to have the fix.

    Practices and retractions may stay confirmed after an upstream fix. A prerelease may be older
    than the fix, so here it counts as earlier than its release.
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


def _edited_reports(folder: Path, evidence: Evidence) -> Iterator[Problem]:
    """Reports that do not match their key, and files and reports that no record names."""
    named: dict[str, set[str]] = {}
    for record in evidence.values():
        for arm in ARMS:
            if (report := record.reports.of(arm)) is not None:
                named.setdefault(record.case, set()).add(key_of(quiet(report)))
    for file in sorted((folder / "reports").glob("*.json")):
        if not verdicts_file(folder, file.stem).exists():
            yield Problem(file, 0, "belongs to no file of verdicts; delete it")
        elif file.stem in named:
            kept = read_reports(read_file(file)).reports
            for key in sorted(kept.keys() - named[file.stem]):
                message = f"the report {key} was edited, or no verdict names it"
                yield Problem(file, 0, f"{message}; run the case again with `{RUN}`")


def _edited_environments(folder: Path, evidence: Evidence) -> Iterator[Problem]:
    """Environments that do not match their key, and those that no record names."""
    used = {(it.column, environment_key(it.fingerprint)) for it in evidence.values()}
    for column, file in environments_of(folder):
        if (column, file.stem) not in used:
            yield Problem(file, 0, "was edited, or no record names it; delete it")
