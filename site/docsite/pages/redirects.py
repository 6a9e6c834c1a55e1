"""Small static pages at the other addresses of a case: aliases, hyphens, its break's id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docsite import links
from docsite.content import Content
from docsite.render import render_file
from validators.catalog import Case
from validators.errors import CasebookError


@dataclass(frozen=True)
class Redirect:
    """A page at the site path `path` that leads to `cases`; `name` is its title."""

    path: str
    name: str
    cases: tuple[Case, ...]

    def html(self, casebook: str) -> str:
        """The page. It does not hold its own address, so all spellings of a name give one text."""
        targets = [
            (case.title, links.relative(links.case_page(case.name), self.path), case.summary)
            for case in self.cases
        ]
        return render_file("redirect.html.j2", casebook=casebook, name=self.name, targets=targets)


def redirects(content: Content, pages: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each redirect's site path with its HTML; `pages` are the paths that are taken.

    Raises:
        CasebookError: two names claim one address.
    """
    taken = {path.casefold(): f"the page {path}" for path in pages}
    for redirect in _redirects(content):
        path = redirect.path
        owner = f"{redirect.name!r} of {' and '.join(case.name for case in redirect.cases)}"
        # On a file system that ignores case two spellings are one file.
        other = taken.setdefault(path.casefold(), owner)
        if other != owner:
            raise CasebookError(f"{path}: both {other} and {owner} claim this address; rename one")
        yield path, redirect.html(content.catalog.casebook.title)


def _redirects(content: Content) -> Iterator[Redirect]:
    catalog = content.catalog
    for alias, case in catalog.by_alias.items():
        yield Redirect(links.case_page(alias), alias, (case,))
    for name, case in {**catalog.by_name, **catalog.by_alias}.items():
        if "_" in name:
            yield Redirect(links.case_page(name.replace("_", "-")), name, (case,))
    known = {it.key for it in content.vocabulary.families}
    for break_id, cases in content.by_break.items():
        if break_id in known:
            continue
        for spelling in (break_id, break_id.lower()):
            yield Redirect(links.break_page(spelling), break_id, tuple(cases))
