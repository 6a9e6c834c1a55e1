"""Checks of the plain programs: files, records that are current, entries that are needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from validators.checks.recorded.current import check_current
from validators.errors import Problem
from validators.plain.judge import Judge
from validators.plain.known import known_file, load_known
from validators.plain.programs import load_programs
from validators.plain.record import load_plain, record_file
from validators.repository import Repository


def check_plain_programs(repository: Repository) -> Iterator[Problem]:
    """Programs that cannot be run, records out of date, entries that explain nothing."""
    programs, problems = load_programs(repository.root)
    records, damaged = load_plain(repository.committed)
    known, unreadable = load_known(repository.root)
    yield from (*problems, *damaged, *unreadable)
    digests = {it.name: it.digest for it in programs}
    judge = Judge(repository, known)
    place = partial(record_file, repository.committed)
    yield from check_current(records, digests, place, "plain program", "plain")
    for name in records.keys() & digests.keys():
        for column, record in records[name].items():
            judge.judged(name, column, record)
    # What has not run may need what nothing recorded needs.
    complete = digests.keys() <= records.keys()
    for number, entry in enumerate(known):
        entered = f"{entry.program}, {entry.kind} {entry.says!r}"
        if entry.case not in repository.catalog.by_name:
            yield Problem(known_file(repository.root), 0, f"{entry.case} is not a case; name one")
        elif complete and number not in judge.used:
            message = f"no finding needs the entry {entered}; delete it"
            yield Problem(known_file(repository.root), 0, message)
