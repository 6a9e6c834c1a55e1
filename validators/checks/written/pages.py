"""Checks of a case's page."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Set
from pathlib import Path

from validators.catalog import Case
from validators.catalog.case import PLACEHOLDER, SECTIONS, headings
from validators.catalog.page import line_of, split_page
from validators.environment.needs import NEEDS
from validators.errors import Problem

# A proof is importable by its name while its process lives, so it must not hide a module.
_TAKEN = sys.stdlib_module_names | NEEDS.keys() | {"torch", "validators", "reference_models"}

UNWRITTEN = f"`{PLACEHOLDER}` marks a text that is not written yet; replace it"


def check_page(case: Case, names: Set[str]) -> Iterator[Problem]:
    """Defects of the page of `case` beyond those that kept it from being read."""
    yield from _name(case)
    yield from _outline(case)
    yield from _placeholders(case)
    for need in case.meta.needs:
        if need not in NEEDS:
            message = f"`needs`: {need!r} is unknown; use one of {', '.join(sorted(NEEDS))}"
            yield Problem(case.page, _line(case, "needs"), message)
    for other in case.meta.alike:
        if other == case.name or other not in names:
            message = f"`alike`: {other!r} is not another case; name one that prints the same lines"
            yield Problem(case.page, _line(case, "alike"), message)
    if case.meta.exclusive and "cpu" in case.meta.devices:
        message = (
            "`exclusive`: wall time decides nothing on a CPU; prove the claim with counts or "
            "write `devices: [cuda]`"
        )
        yield Problem(case.page, _line(case, "exclusive"), message)
    successor = case.meta.superseded_by
    if successor and (successor == case.name or successor not in names):
        message = (
            f"`superseded_by`: {successor!r} is not another case; name the one that replaces it"
        )
        yield Problem(case.page, _line(case, "superseded_by"), message)


def _name(case: Case) -> Iterator[Problem]:
    if case.name in _TAKEN:
        yield Problem(case.page, 0, f"{case.name!r} is the name of a module; choose another")


def _outline(case: Case) -> Iterator[Problem]:
    if not any(level == 1 for _, level, _ in headings(case.body)):
        yield Problem(case.page, case.body_line, "has no title; begin the page with `# TITLE`")
    for name in SECTIONS:
        if name not in case.sections:
            message = f"has no section {name!r}; add a heading `## {name}`"
            yield Problem(case.page, case.body_line, message)
        elif not case.sections[name]:
            yield Problem(case.page, _heading_line(case, name), f"{name!r} is empty; write it")


def _placeholders(case: Case) -> Iterator[Problem]:
    for field in ("claim", "summary", "fix"):
        if PLACEHOLDER in getattr(case.meta, field):
            yield Problem(case.page, _line(case, field), UNWRITTEN)
    yield from placeholders(case.page, case.body_line, case.body)


def placeholders(path: Path, first: int, text: str) -> Iterator[Problem]:
    """The lines of `text` with a placeholder; `text` begins in line `first` of `path`."""
    for number, line in enumerate(text.split("\n"), first):
        if PLACEHOLDER in line:
            yield Problem(path, number, UNWRITTEN)


def _heading_line(case: Case, name: str) -> int:
    at = next(line for line, level, text in headings(case.body) if (level, text) == (2, name))
    return case.body_line + at


def _line(case: Case, key: str) -> int:
    source, _, _ = split_page(case.page)
    return line_of(source, key)
