"""Which cases a log mixes up: the line of one matches a pattern of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validators.catalog import Case
from validators.families.patterns import signatures_of
from validators.repository import Repository


def alike(repository: Repository) -> dict[str, list[str]]:
    """The cases that print a line of each case, those that its page names first, by its name."""
    cases = repository.catalog.cases
    patterns = [(re.compile(it), case.name) for case in cases for it in signatures_of(case)]
    return {case.name: list(_of(case, repository, patterns)) for case in cases}


def _of(
    case: Case, repository: Repository, patterns: list[tuple[re.Pattern[str], str]]
) -> Iterator[str]:
    yield from case.meta.alike
    runs = repository.examples.get(case.name)
    columns = runs.columns.values() if runs else ()
    lines = {run.line for run in columns if run.verdict == "confirmed"}
    for pattern, name in patterns:
        if any(map(pattern.search, lines)):
            yield name
