"""Carry a GPU's records over a change of probes that changed no report on a CPU.

A GPU cannot be had at will. Where the same probes, before and after a change, write the same
reports of a case on every CPU, what a GPU recorded through them still stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from validators.catalog import Case
from validators.evidence.digests.digest import digest_of, resolve
from validators.evidence.digests.program import Program, program_of
from validators.evidence.freshness import Freshness
from validators.evidence.status import device_of
from validators.evidence.stored.files import Line, key_of
from validators.evidence.stored.record import Record, quiet
from validators.verdicts import ARMS


def waiting(case: Case, records: Iterable[Record], freshness: Freshness) -> list[Record]:
    """The records of `case` on GPUs that a change of what ran made stale."""
    return [
        record
        for record in records
        if device_of(record.column) != "cpu" and not freshness.ran_alike(case, record)
    ]


def carried_over(
    case: Case,
    records: Sequence[Record],
    lines: Mapping[str, Line],
    probes: Mapping[str, Program],
    freshness: Freshness,
    root: Path,
) -> Iterator[Record]:
    """The records of `case` on GPUs that only changed probes made stale, as current ones.

    `lines` are the case's records and `probes` what the probes did, by place, before the change.
    Nothing is carried over unless a CPU ran all changed probes of a record, and every record of a
    CPU is new and says what it did before.
    """
    cpu = {it.column: it for it in records if device_of(it.column) == "cpu"}
    before = {column for column in lines if device_of(column) == "cpu"}
    if not before or not all(
        column in cpu
        and freshness.ran_alike(case, cpu[column])
        and _says(cpu[column]) == _said(lines[column])
        for column in before
    ):
        return
    for record in waiting(case, records, freshness):
        changed = {it for it in record.modules if _changed(it, probes, root)}
        ran = any(changed <= {*cpu[column].modules} for column in before)
        if ran and digest_of(case, record.modules, root, dict(probes)) == record.digest:
            digest = digest_of(case, record.modules, root)
            yield msgspec.structs.replace(record, digest=digest, carried=True)


def _changed(place: str, probes: Mapping[str, Program], root: Path) -> bool:
    return place in probes and program_of(resolve(place, root)) != probes[place]


def _says(record: Record) -> tuple[str, ...]:
    reports = (record.reports.of(arm) for arm in ARMS)
    return record.verdict, *(key_of(quiet(it)) if it else "" for it in reports)


def _said(line: Line) -> tuple[str, ...]:
    return line.verdict, line.symptom, line.remedy
