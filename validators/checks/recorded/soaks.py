"""Checks of soaks: what does not hold is declared on the page, and what is declared was seen."""

from __future__ import annotations

from collections.abc import Iterator

from validators.catalog import Case
from validators.catalog.frontmatter import Limit
from validators.catalog.page import line_of, split_page
from validators.errors import Problem
from validators.evidence.stored.soaks import current_soaks, soak_digest, soaks_file
from validators.repository import Repository

RUN = "python -m validators soak --record"


def check_soaks(repository: Repository) -> Iterator[Problem]:
    """Soaks that are out of date, and limits of fixes that are not declared or not seen."""
    for name, soaks in repository.soaks.items():
        file = soaks_file(repository.committed, name)
        case = repository.catalog.by_name.get(name)
        if case is None:
            if name not in repository.names:
                yield Problem(file, 0, f"{name} is not a case; delete the file")
            continue
        for column, soak in soaks.columns.items():
            if soak.digest != soak_digest(case):
                message = f"the example has changed since its soak; repeat it with `{RUN} {name}`"
                yield Problem(file, 0, f"{column}: {message}")
    for case in repository.catalog.cases:
        for message in _undeclared(repository, case):
            yield _at_limits(case, message)


def _undeclared(repository: Repository, case: Case) -> Iterator[str]:
    """What the current soaks of a case show and `limits` lacks, and the other way round."""
    shown: dict[Limit, str] = {}
    for column, soak in current_soaks(repository.soaks, case).items():
        for kind, reason in soak.limits.items():
            shown.setdefault(kind, f"{reason} ({column})")
    for kind, reason in shown.items():
        if kind not in case.meta.limits:
            yield f"`limits` lacks `{kind}`: {reason}; say there what happens, or mend the example"
    for declared in case.meta.limits:
        if declared not in shown:
            remedy = f"remove it, or run `{RUN} {case.name}`"
            yield f"`limits`: no current soak shows `{declared}`; {remedy}"


def _at_limits(case: Case, message: str) -> Problem:
    source, _, _ = split_page(case.page)
    return Problem(case.page, line_of(source, "limits"), message)
