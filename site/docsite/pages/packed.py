"""The index of the search as rows: what many pages share is sent to a browser once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

CASE = "case"
"""The kind of a page that names none."""
_COLUMNS: dict[str, Any] = {
    "title": None,
    "summary": "",
    "fix": "",
    "aliases": (),
    "tenths": 10,
    "steps": (),
    "docs": "",
}
"""What a row holds after the name; values at their default are left out at its end."""
_DEFAULTS = [*_COLUMNS.values()]
_Page = Mapping[str, Any]


def packed(index: Mapping[str, Any]) -> dict[str, Any]:
    """The data of `index`, whose pages have an `href` unless they are cases'.

    `pages` become groups of the same kind that follow each other: the kind, the address and the
    beginning of the titles, both with {} for the page's name, and a row a page.
    `assets/index.js` reads it.
    """
    return {**index, "pages": list(_groups(index["pages"]))}


def _groups(pages: Iterable[_Page]) -> Iterator[list[Any]]:
    for (kind, address), group in groupby(pages, key=_shared):
        its = list(group)
        named = all(it["title"].startswith(f"{it['name']}: ") for it in its)
        yield [kind, address, "{}: " if named else "", [_row(it, named) for it in its]]


def _shared(page: _Page) -> tuple[str, str]:
    address = page.get("href", "").replace(page["name"], "{}")
    return page.get("kind", CASE), address


def _row(page: _Page, named: bool) -> list[Any]:
    row = [page.get(it, default) for it, default in _COLUMNS.items()]
    while row and row[-1] == _DEFAULTS[len(row) - 1]:
        row.pop()
    return [page["name"], row[0].removeprefix(f"{page['name']}: ") if named else row[0], *row[1:]]
