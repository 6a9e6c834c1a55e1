"""Checks that a title asks where no program has decided the claim, and states it elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from validators.errors import Problem
from validators.repository import Repository
from validators.verdicts import DECIDED, Verdict

ASKS = "no column decides the claim, so the title must ask: end it with `?`"
STATES = "a column decides the claim, so the title must not ask: state what happens"


def check_titles(repository: Repository) -> Iterator[Problem]:
    """Titles whose form does not fit what is decided; a case without a record may have either."""
    recorded: dict[str, set[Verdict]] = {}
    for (name, _), record in repository.evidence.items():
        recorded.setdefault(name, set()).add(record.verdict)
    for case in repository.catalog.cases:
        verdicts = recorded.get(case.name, set())
        if not verdicts or case.retired or not case.title:
            continue
        decided = not verdicts.isdisjoint(DECIDED)
        if decided == case.title.endswith("?"):
            yield Problem(case.page, case.title_line, STATES if decided else ASKS)
