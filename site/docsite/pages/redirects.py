"""Small static pages at the other addresses of a case: its aliases, and names with hyphens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docsite import links
from docsite.content import Content
from docsite.render import render_file
from validators.catalog import Case, Catalog
from validators.errors import CasebookError


def redirects(content: Content, pages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each redirect's site path with its HTML; `pages` are the paths that are taken.

    Raises:
        CasebookError: two names claim one address.
    """
    taken = {path.casefold(): f"the page {path}" for path in pages}
    casebook = content.catalog.casebook.title
    for path, name, case in _redirects(content.catalog):
        owner = f"{name!r} of {case.name}"
        # On a file system that ignores case two spellings are one file.
        other = taken.setdefault(path.casefold(), owner)
        if other != owner:
            raise CasebookError(f"{path}: both {other} and {owner} claim this address; rename one")
        target = links.relative(links.case_page(case.name), path)
        values = {"casebook": casebook, "name": name, "title": case.title, "target": target}
        yield path, render_file("redirect.html.j2", **values)


def _redirects(catalog: Catalog) -> Iterator[tuple[str, str, Case]]:
    """A site path, the name that it is the page of, and the case that it leads to."""
    for alias, case in catalog.by_alias.items():
        yield links.case_page(alias), alias, case
    for name, case in catalog.by_any_name.items():
        if "_" in name:
            yield links.case_page(name.replace("_", "-")), name, case
