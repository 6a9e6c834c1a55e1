"""Checks of the real models: files, records that are current, settlements that are needed."""

from __future__ import annotations

from collections.abc import Iterator

from validators.corpus.models import load_models
from validators.corpus.records.record import load_records, record_file
from validators.corpus.settled import load_settled
from validators.corpus.stale import pins_in, why_stale
from validators.corpus.summary import Judge
from validators.errors import Problem
from validators.repository import Repository

RUN = "python -m validators models {} --record"


def check_models(repository: Repository) -> Iterator[Problem]:
    """Models that cannot be run, records that are out of date, settlements that settle nothing."""
    models, problems = load_models(repository.root)
    records, damaged = load_records(repository.committed)
    settled, unreadable = load_settled(repository.root)
    yield from (*problems, *damaged, *unreadable)
    by_name = {model.name: model for model in models}
    pinned = pins_in(repository.root)
    for (name, column), record in records.items():
        file = record_file(repository.committed, name, column)
        if name not in by_name:
            yield Problem(file, 0, f"{name} is not a model; delete the file")
        elif stale := why_stale(record, by_name[name], pinned):
            yield Problem(file, 0, f"is out of date: {stale}; run `{RUN.format(name)}`")
    # What has not run is undecided, and may need what nothing recorded needs.
    complete = by_name.keys() <= {name for name, _ in records}
    judge = Judge(repository, settled)
    for record in records.values() if complete else ():
        judge.findings(record)
    for file, entries in settled.items():
        for number, entry in enumerate(entries):
            if entry.case not in repository.catalog.by_name:
                yield Problem(file, 0, f"{entry.case} is not a case; name one")
            elif complete and (file, number) not in judge.used:
                place = f"{entry.file}: {entry.code!r}"
                yield Problem(file, 0, f"no open finding needs the entry {place}; delete it")
