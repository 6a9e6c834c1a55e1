"""Checks of witnesses: they were asked, and what a page declares of them is needed."""

from __future__ import annotations

from collections.abc import Iterator

from validators.catalog import Case
from validators.catalog.page import line_of, split_page
from validators.errors import Problem
from validators.evidence import Record
from validators.evidence.status import before_shown
from validators.evidence.stored.witnessed import TRAINING
from validators.probes.modes import UNCOMPILED
from validators.repository import Repository


def check_exemptions(repository: Repository) -> Iterator[Problem]:
    """Claims that nobody ran without compiling, and declarations that no current record needs."""
    records: dict[str, list[Record]] = {}
    for (name, _), record in repository.evidence.items():
        records.setdefault(name, []).append(record)
    for case in repository.catalog.cases:
        current = [
            record
            for record in records.get(case.name, [])
            if repository.freshness.is_current(case, record)
        ]
        if case.meta.since and not before_shown(repository.statuses_of(case)):
            message = "`since`: no release is refuted before the first that shows it; remove it"
            source, _, _ = split_page(case.page)
            yield Problem(case.page, line_of(source, "since"), message)
        if not case.retired and _unasked(current):
            command = f"python -m validators run {case.name} --record"
            message = f"nobody ran it without compiling since its judge changed; run `{command}`"
            yield Problem(case.proof, 0, message)
        for field, message in _unneeded(case, current):
            source, _, _ = split_page(case.page)
            yield Problem(case.page, line_of(source, field), f"`{field}`: {message}")


def _unasked(records: list[Record]) -> bool:
    """Whether a CPU confirms the claim and no record says what happens without compiling."""
    on_cpu = [record for record in records if record.fingerprint.device == "cpu"]
    confirmed = any(record.verdict == "confirmed" for record in on_cpu)
    return confirmed and not any(UNCOMPILED in record.witnesses for record in records)


def _unneeded(case: Case, records: list[Record]) -> Iterator[tuple[str, str]]:
    meta = case.meta
    if meta.backend and meta.backend not in meta.claim:
        yield "backend", f"the claim does not name {meta.backend!r}; name it, or remove the field"
    yield from _in_training(meta.training, records)
    asked = [record for record in records if UNCOMPILED in record.witnesses]
    if meta.uncompiled and asked and not any(_confirmed_uncompiled(record) for record in asked):
        yield "uncompiled", "no record is confirmed without compiling; remove it"
    for arm in meta.results:
        if asked and not any(arm in record.differs for record in asked):
            yield "results", f"the {arm}'s results equal eager's in every record; remove it"
    if meta.leaves:
        yield from _too_much_left(case, records)


def _in_training(declared: str, records: list[Record]) -> Iterator[tuple[str, str]]:
    asked = [record for record in records if TRAINING in record.witnesses]
    verdicts = [(record.witnesses[TRAINING], record.verdict) for record in asked]
    others = [trained for trained, verdict in verdicts if trained != verdict]
    if others and not declared:
        yield "training", f"with backward passes the claim is {others[0]}; say what happens then"
    if asked and declared and not others:
        yield "training", "with backward passes every verdict is the same; remove it"


def _confirmed_uncompiled(record: Record) -> bool:
    return record.witnesses[UNCOMPILED] == "confirmed"


def _too_much_left(case: Case, records: list[Record]) -> Iterator[tuple[str, str]]:
    remedies = [remedy for record in records if (remedy := record.remedy)]
    leaves = case.meta.leaves
    if not remedies or leaves is None:
        return
    for name, allowed in (
        ("graph_breaks", leaves.graph_breaks),
        ("recompiles", leaves.recompiles),
    ):
        most = max(len(remedy[name]) for remedy in remedies)
        if allowed > most:
            yield "leaves", f"allows {allowed} {name}, the records hold at most {most}; lower it"
    if leaves.exception and not any(remedy["exception"] for remedy in remedies):
        yield "leaves", "allows an exception, but no remedy raises one; remove it"
