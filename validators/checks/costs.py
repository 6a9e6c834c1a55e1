"""Checks of what the cases of a catalog may cost together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_CPU_SECONDS
from validators.catalog.page import line_of, split_page
from validators.errors import Problem

COSTLY_PAGES = 10
"""So many pages of a catalog may ask for more CPU seconds than the others have."""


def check_costs(cases: Iterable[Case]) -> Iterator[Problem]:
    """The pages with a `cost` beyond the ten that ask for most."""
    costly = [case for case in cases if case.meta.cost and not case.retired]
    costly.sort(key=lambda case: (-case.meta.cpu_budget, case.name))
    for case in costly[COSTLY_PAGES:]:
        source, _, _ = split_page(case.page)
        message = (
            f"`cost`: {len(costly)} pages ask for more than {DEFAULT_CPU_SECONDS} CPU seconds, "
            f"and {COSTLY_PAGES} may; make this case cheaper"
        )
        yield Problem(case.page, line_of(source, "cost"), message)
