"""Checks of silent errors: programs that can be run, and records that are current and show them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from validators.checks.recorded.current import check_current
from validators.environment.column_name import by_release, release_of
from validators.errors import Problem
from validators.repository import Repository
from validators.silent.programs import load_silent
from validators.silent.record import avoided, load_computed, record_file


def check_silent_errors(repository: Repository) -> Iterator[Problem]:
    """Programs with defects, records out of date, errors that no release shows."""
    errors, problems = load_silent(repository.root)
    records, damaged = load_computed(repository.committed)
    yield from (*problems, *damaged)
    digests = {it.name: it.digest for it in errors}
    every = (column for columns in records.values() for column in columns)
    newest = release_of(max(every, key=by_release, default=""))
    place = partial(record_file, repository.committed)
    yield from check_current(records, digests, place, "silent error", "silent")
    for it in errors:
        columns = records.get(it.name, {})
        if not it.needs and all(one.verdict != "wrong" for one in columns.values()):
            message = "no release shows the error; record it where it shows, or delete the program"
            yield Problem(it.file, 0, message)
        if it.avoid and avoided(columns) is False:
            message = "the workaround fails where the error shows; correct `instead`"
            yield Problem(it.file, 0, message)
        wrong = (column for column, computed in columns.items() if computed.verdict == "wrong")
        for column in wrong:
            if it.fixed and release_of(column) == newest:
                message = f"says `fixed:`, but {column} is wrong; leave the field out for now"
                yield Problem(it.file, 0, message)
