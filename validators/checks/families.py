"""Checks of graph breaks that pages name, and of signatures, against what torch itself says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from validators.catalog import Case
from validators.catalog.page import line_of, split_page
from validators.errors import CasebookError, Problem
from validators.families import Family, Header, load_families, vocabulary_of
from validators.families.torch_source.exceptions import GENERAL
from validators.families.torch_source.formats import of_registry, shape_of
from validators.repository import Repository

_NAMED = 3
_MESSAGES = ("7", "some other")
_OF_PYTHON = (
    *("AssertionError", "AttributeError", "FileNotFoundError", "ImportError", "IndexError"),
    *("KeyError", "NameError", "NotImplementedError", "OSError", "OverflowError"),
    *("PermissionError", "RuntimeError", "TypeError", "UnicodeDecodeError", "ValueError"),
)


def check_graph_breaks(repository: Repository) -> Iterator[Problem]:
    """Graph breaks of pages that no recorded release knows under this id and type."""
    try:
        families = load_families(repository.playbooks)
    except CasebookError as error:
        yield Problem(repository.playbooks / "families", 0, str(error))
        return
    breaks = {it.key: it for it in families if it.kind == "graph_break"}
    for case in repository.catalog.cases if breaks else ():
        if case.meta.graph_break and (message := _unknown(case, breaks)):
            yield _problem(case, "graph_break", message)


def _unknown(case: Case, breaks: dict[str, Family]) -> str:
    named = case.meta.graph_break
    assert named is not None
    family = breaks.get(named.id)
    if family is None:
        return f"`graph_break` names {named.id}, which no recorded release has; correct it"
    types = {shape_of(it.format) for it in family.said}
    if shape_of(of_registry(named.type)) in types:
        return ""
    return f"{named.id} has the type {family.title!r} and not {named.type!r}; correct `graph_break`"


def check_headers(repository: Repository) -> Iterator[Problem]:
    """Signatures that fit every line of a family although other cases cause it, too.

    Raises:
        CasebookError: a file of families is damaged.
    """
    found = vocabulary_of(repository).headers()
    open_ones = (it for it in found if it.sisters and not it.told)
    for it in sorted(open_ones, key=lambda it: (it.case.page, it.signature)):
        yield _problem(it.case, "signatures", _sentence(it))


def check_general_classes(cases: Iterable[Case]) -> Iterator[Problem]:
    """Signatures that fit an exception whatever its message, of a class that says no cause."""
    for case in cases:
        for signature in case.meta.signatures:
            pattern = re.compile(signature, re.ASCII)
            for name in (*GENERAL, *_OF_PYTHON):
                if all(pattern.search(f"torch._dynamo.exc.{name}: {it}") for it in _MESSAGES):
                    message = f"the signature `{signature}` fits every {name}; name its message"
                    yield _problem(case, "signatures", message)


def _sentence(it: Header) -> str:
    more = len(it.sisters) - _NAMED
    named = ", ".join(it.sisters[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    return (
        f"the signature `{it.signature}` fits every line of {it.family.key}, which {named} cause,"
        " too; write what only this cause prints, or add `code` or `alike`"
    )


def _problem(case: Case, field: str, message: str) -> Problem:
    return Problem(case.page, _line(case.page, field), message)


def _line(page: Path, field: str) -> int:
    source, _, _ = split_page(page)
    return line_of(source, field)
