"""The index of a catalog: what a search needs, small enough to send to a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from validators.match.rules import RULES, Rules

_ESCAPE = re.compile(r"\\(.)")
CASE = "case"
"""The kind of the pages that explain logs."""


@dataclass(frozen=True, kw_only=True)
class IndexedPage:
    """A page that the search finds: its kind, the lines that lists show, and its other names.

    `tenths` is the share of exact evidence that counts for it.
    """

    name: str
    title: str
    kind: str = CASE
    summary: str = ""
    fix: str = ""
    aliases: tuple[str, ...] = ()
    tenths: int = 10


@dataclass(frozen=True)
class Signature:
    """A pattern of lines, and the cases that it points to.

    `place` says where in the pattern stands the text that each such line holds, its `literal`.
    """

    pattern: str
    place: tuple[int, int]
    cases: list[int]

    @property
    def worth(self) -> int:
        """How much a line that matches says: the more, the fewer cases it points to."""
        return RULES.exact + RULES.exact // len(self.cases)

    @cached_property
    def literal(self) -> str:
        """The text that each line holds which the pattern matches; "" if none is certain."""
        start, stop = self.place
        return _ESCAPE.sub(r"\1", self.pattern[start:stop])


@dataclass(frozen=True, kw_only=True, eq=False)
class Index:
    """The pages, which the other fields name by their number; cases come before other pages.

    A log is about the subject if it holds a phrase of `subject`, or if `subject` is empty. A log
    with a line of a signature, or with a phrase of `near_subject`, may be about it: it gets only
    answers by such a line, and strong ones.
    `breaks` holds graph breaks by id, as "gb0170". `terms` and `holders` are packed: terms, and
    the pages that hold each of them where lists do not show it. `common` says how many of
    `logs` logs hold a term, if many do. Two indices never compare equal, so that what is made of
    one can be kept for it.
    """

    rules: Rules
    subject: list[str]
    near_subject: list[str]
    pages: list[IndexedPage]
    signatures: list[Signature]
    breaks: dict[str, list[int]]
    terms: str
    holders: str
    logs: int
    common: dict[str, int]

    @cached_property
    def cases(self) -> list[str]:
        """The names of the cases, in the order of their numbers."""
        return [page.name for page in self.pages if page.kind == CASE]


def data_of(index: Index) -> dict[str, Any]:
    """The index for JSON; what a page has at its default is left out."""
    pages = [
        {it.name: value for it in fields(page) if (value := getattr(page, it.name)) != it.default}
        for page in index.pages
    ]
    return {it.name: getattr(index, it.name) for it in fields(index)} | {"pages": pages}


def index_of(data: dict[str, Any]) -> Index:
    """The index that was written as JSON, read without other packages than Python's own."""
    pages, signatures = data["pages"], data["signatures"]
    read = {
        "rules": Rules(**data["rules"]),
        "pages": [IndexedPage(**it | {"aliases": tuple(it.get("aliases", ()))}) for it in pages],
        "signatures": [Signature(**it | {"place": tuple(it["place"])}) for it in signatures],
    }
    return Index(**{**data, **read})
