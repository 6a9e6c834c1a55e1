"""Checks of silent errors: programs that can be run, and records that are current and show them."""

from __future__ import annotations

from collections.abc import Iterator

from validators.errors import Problem
from validators.repository import Repository
from validators.silent.programs import load_silent
from validators.silent.record import load_computed, record_file

_RUN = "python -m validators silent {} --record"


def check_silent_errors(repository: Repository) -> Iterator[Problem]:
    """Programs with defects, records out of date, errors that no release shows."""
    errors, problems = load_silent(repository.root)
    records, damaged = load_computed(repository.committed)
    yield from (*problems, *damaged)
    by_name = {it.name: it for it in errors}
    for name, columns in records.items():
        file = record_file(repository.committed, name)
        if name not in by_name:
            yield Problem(file, 0, f"{name} is not a silent error; delete the file")
            continue
        for column, computed in columns.items():
            if computed.digest != by_name[name].digest:
                message = f"{column} is out of date: the program has changed since"
                yield Problem(file, 0, f"{message}; run `{_RUN.format(name)}` on that torch")
    for it in errors:
        seen = records.get(it.name, {}).values()
        if not it.needs and all(one.verdict != "wrong" for one in seen):
            message = "no release shows the error; record it where it shows, or delete the program"
            yield Problem(it.file, 0, message)
        if it.avoid and any(
            one.instead not in ("", "equal") for one in seen if one.verdict == "wrong"
        ):
            yield Problem(
                it.file, 0, "the workaround fails where the error shows; correct `instead`"
            )
