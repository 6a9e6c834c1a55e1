"""The cases that a name stands for, found without reading the pages of all others."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from validators.catalog.case import Case
from validators.catalog.casebook import load_casebook
from validators.catalog.discovery import (
    files_in,
    load_catalog,
    read_case,
    require_folder,
    spelled,
)
from validators.catalog.page import MAX_PAGE_BYTES, InvalidPage
from validators.files import read_file

_BREAK = re.compile(r"gb_?0*([0-9]{1,4})")


def break_id(name: str) -> str:
    """The graph break's id that `name` is, as "GB0170" for "gb170"; "" if it is none."""
    found = _BREAK.fullmatch(spelled(name))
    return f"GB{int(found[1]):04}" if found else ""


def load_case(root: Path, name: str) -> Case:
    """The case with this id or alias, hyphens or not.

    Raises:
        CasebookError: there is none; the message lists similar names.
    """
    known = spelled(name)
    for case in _cases_with(root, known):
        if known in (case.name, *case.meta.aliases):
            return case
    return load_catalog(root).find(name)


def load_cases_about(root: Path, graph_break: str) -> list[Case]:
    """The cases about the graph break with this id.

    Raises:
        CasebookError: `root` is not a folder.
    """
    return [
        case
        for case in _cases_with(root, graph_break)
        if case.meta.graph_break and case.meta.graph_break.id == graph_break
    ]


def _cases_with(root: Path, word: str) -> Iterator[Case]:
    """The readable cases whose name or page holds `word`, the one that is named so first."""
    require_folder(root)
    casebook, _ = load_casebook(root)
    pages = [page for page in files_in(root, casebook.areas) if page.name.endswith(".md")]
    for page in sorted(pages, key=lambda it: it.stem != word):
        with contextlib.suppress(InvalidPage, OSError):
            if page.stem == word or word.encode() in read_file(page, MAX_PAGE_BYTES):
                yield read_case(page, casebook)
