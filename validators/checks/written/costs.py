"""Checks of what the cases of a catalog cost together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_CPU_SECONDS
from validators.catalog.page import line_of, split_page
from validators.errors import Problem

COSTLY_PAGES = 10
"""How many pages of a catalog may ask for more CPU seconds than the default."""


def check_costs(cases: Iterable[Case]) -> Iterator[Problem]:
    """A problem for each page with a `cost` beyond the ten that ask for most."""
    costly = [case for case in cases if case.meta.cost and not case.retired]
    costly.sort(key=lambda case: (-case.meta.cpu_budget, case.name))
    for case in costly[COSTLY_PAGES:]:
        source, _, _ = split_page(case.page)
        message = (
            f"`cost`: {len(costly)} pages ask for more than {DEFAULT_CPU_SECONDS} CPU seconds, "
            f"but only {COSTLY_PAGES} may; make this case cheaper"
        )
        yield Problem(case.page, line_of(source, "cost"), message)
