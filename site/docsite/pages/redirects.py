"""Small static pages at the other addresses of a case: aliases, hyphens, its break's id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docsite import links
from docsite.content import Content
from docsite.render import render_file
from validators.catalog import Case
from validators.errors import CasebookError

Redirect = tuple[str, str, list[Case]]
"""A site path, the name that it is the page of, and the cases that it leads to."""


def redirects(content: Content, pages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each redirect's site path with its HTML; `pages` are the paths that are taken.

    Raises:
        CasebookError: two names claim one address.
    """
    taken = {path.casefold(): f"the page {path}" for path in pages}
    for path, name, cases in _redirects(content):
        owner = f"{name!r} of {' and '.join(case.name for case in cases)}"
        # On a file system that ignores case two spellings are one file.
        other = taken.setdefault(path.casefold(), owner)
        if other != owner:
            raise CasebookError(f"{path}: both {other} and {owner} claim this address; rename one")
        # The page does not hold its own address, so all spellings of a name give one text.
        targets = [
            (case.title, links.relative(links.case_page(case.name), path), case.summary)
            for case in cases
        ]
        casebook = content.catalog.casebook.title
        yield path, render_file("redirect.html.j2", casebook=casebook, name=name, targets=targets)


def _redirects(content: Content) -> Iterator[Redirect]:
    catalog = content.catalog
    for alias, case in catalog.by_alias.items():
        yield links.case_page(alias), alias, [case]
    for name, case in catalog.by_any_name.items():
        if "_" in name:
            yield links.case_page(name.replace("_", "-")), name, [case]
    known = {it.key for it in content.vocabulary.families}
    for break_id, cases in content.by_break.items():
        if break_id not in known:
            yield links.break_page(break_id), break_id, cases
            yield links.break_page(break_id.lower()), break_id, cases
