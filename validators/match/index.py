"""The index of a catalog: what a search needs, small enough to send to a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from validators.match.families import IndexedFamily, families_from, rows_of
from validators.match.language.rules import RULES, Rules

_ESCAPE = re.compile(r"\\(.)")
CASE = "case"
"""The kind of the pages that explain logs."""
AREA = "area"
"""The kind of the pages of an area."""
SILENT = "silent"
"""The kind of the pages of wrong results without a message."""


@dataclass(frozen=True, kw_only=True)
class IndexedPage:
    """A page that the search finds: its kind, the lines that lists show, and its other names.

    `tenths` is the share of exact evidence that counts for it. `steps` are how to tell the causes
    of a topic, each with the page that answers. `docs` is PyTorch's own page about an area.
    """

    name: str
    title: str
    kind: str = CASE
    summary: str = ""
    fix: str = ""
    aliases: tuple[str, ...] = ()
    tenths: int = 10
    steps: tuple[str, ...] = ()
    docs: str = ""


@dataclass(frozen=True)
class Signature:
    """A pattern of lines, and the cases that it points to.

    `place` says where in the pattern stands the text that each such line holds, its `literal`.
    `headers` finds the patterns of those that are a `header`; only logs need it.
    """

    pattern: str
    place: tuple[int, int]
    cases: list[int]
    headers: Callable[[], Collection[str]] = field(default=frozenset, compare=False)

    @property
    def header(self) -> bool:
        """Whether it fits every line of a family, so it does not tell a case from its sisters."""
        return self.pattern in self.headers()

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

    A log is about the subject if it holds a phrase of `subject`. A log with a line of a signature,
    or with a phrase of `near_subject`, may be about it: it gets only answers by such a line, and
    strong ones.
    The `families` are pages, too, after the others; they have no summary.
    `breaks` holds graph breaks by id, as "gb0170", and `code` the patterns of the user's line that
    tell a case from others with the same messages. `terms` and `holders` are packed: terms, and
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
    families: list[IndexedFamily]
    code: list[tuple[int, list[str]]]
    terms: str
    holders: str
    logs: int
    common: dict[str, int]

    @cached_property
    def cases(self) -> list[str]:
        """The names of the cases, in the order of their numbers."""
        return [page.name for page in self.pages if page.kind == CASE]

    @cached_property
    def all_pages(self) -> list[IndexedPage]:
        """The pages, with those of the families after the others."""
        return [*self.pages, *map(_page_of, self.families)]

    @cached_property
    def family_numbers(self) -> dict[str, list[int]]:
        """The numbers of the families of graph breaks among `all_pages`, by id as "gb0170"."""
        return {
            it.key.lower(): [number]
            for number, it in enumerate(self.families, len(self.pages))
            if it.kind == "graph_break"
        }


def _page_of(family: IndexedFamily) -> IndexedPage:
    told = family.title
    if family.kind == "graph_break":
        told = f"{family.key}: {told}"
    if family.kind == "cudagraph_skip":
        told = f"Skipping CUDA graphs: {told.removeprefix('reason=')}"
    return IndexedPage(name=family.key, kind=family.kind, title=told)


def data_of(index: Index) -> dict[str, Any]:
    """The index for JSON; what a page has at its default is left out."""
    data = {it.name: getattr(index, it.name) for it in fields(index)}
    return data | {
        "pages": [_told(it) for it in index.pages],
        "signatures": [_row(it) for it in index.signatures],
        "families": rows_of(index.families),
    }


def _row(it: Signature) -> list[Any]:
    return [it.pattern, *it.place, it.cases, *([1] if it.header else [])]


def _told(it: IndexedPage) -> dict[str, Any]:
    """The fields that are not at their default."""
    return {
        field.name: value
        for field in fields(it)
        if (value := getattr(it, field.name)) != field.default
    }


def index_of(data: dict[str, Any]) -> Index:
    """The index that was written as JSON, read without other packages than Python's own."""
    pages, signatures = data["pages"], data["signatures"]
    headers = {pattern for pattern, _, _, _, *header in signatures if header}
    read = {
        "rules": Rules(**data["rules"]),
        "pages": [_page_from(it) for it in pages],
        "signatures": [
            Signature(pattern, (start, stop), cases, lambda: headers)
            for pattern, start, stop, cases, *_ in signatures
        ],
        "families": families_from(data["families"]),
    }
    return Index(**{**data, **read})


def _page_from(data: dict[str, Any]) -> IndexedPage:
    lists = {it: tuple(data.get(it, ())) for it in ("aliases", "steps")}
    return IndexedPage(**data | lists)
