"""What a run saw of a case in one line, and where to read more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validators.catalog import Case
from validators.catalog.proof import InvalidProof, read_proof
from validators.cli.places import Places, from_here
from validators.errors import CasebookError, printable
from validators.evidence import Record
from validators.evidence.readings import contrasts, names_read
from validators.evidence.stored.store import verdicts_file
from validators.files import PROGRAM
from validators.probes.report import Report

_USUAL = frozenset({"graph_breaks", "graphs", "recompiles", "ops"})
"""What is told where `shows` reads no number."""
_MOST_NUMBERS, _MOST_CASES = 4, 5


def saw(case: Case, record: Record) -> str:
    """How the arms differ, as "before → after the fix: 8 graphs → 1"; "" if no number does."""
    try:
        symptom, remedy = record.report("symptom"), record.report("remedy")
        read = names_read(read_proof(case.proof))
    except (CasebookError, InvalidProof):
        return ""
    if not symptom or not remedy:
        return ""
    told = [*_exceptions(symptom, remedy, read), *_numbers(symptom, remedy, read)]
    more = f" and {len(told) - _MOST_NUMBERS} more" if len(told) > _MOST_NUMBERS else ""
    arms = "without → with" if case.meta.kind == "practice" else "before → after the fix"
    return printable(f"{arms}: {', '.join(told[:_MOST_NUMBERS])}{more}") if told else ""


def _numbers(symptom: Report, remedy: Report, read: frozenset[str]) -> list[str]:
    """The numbers that `shows` reads and that differ; a list of them only if no other does."""
    if not any(contrasts(symptom, remedy, read)) and "exception" not in read:
        read = _USUAL
    for names in (read - {"compiled"}, read & {"compiled"}):
        if told := [it.phrase for it in contrasts(symptom, remedy, names) if it.differs]:
            return told
    return []


def _exceptions(symptom: Report, remedy: Report, read: frozenset[str]) -> Iterator[str]:
    if "exception" in read and bool(symptom.exception) != bool(remedy.exception):
        names = (
            f"raises {it.exception.type.rpartition('.')[2]}" if it.exception else "raises nothing"
            for it in (symptom, remedy)
        )
        yield " → ".join(names)


def where(places: Places, cases: Sequence[Case]) -> Iterator[str]:
    """Where the records of the cases lie, and which page of each to open."""
    if len(cases) == 1:
        yield f"record: {from_here(verdicts_file(places.local, cases[0].name))}"
    else:
        yield f"records: {from_here(places.local)}"
    for case in cases[:_MOST_CASES]:
        built = places.site / "catalog" / case.name / "index.html"
        yield f"page: {from_here(built if built.exists() else case.page)}"
    if len(cases) > _MOST_CASES:
        yield f"{len(cases) - _MOST_CASES} more pages: {PROGRAM} show NAME"
