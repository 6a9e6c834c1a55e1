"""Small static pages for the other addresses of a case: its aliases and its graph break's id."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.index_pages import cases_by_break
from docsite.render import render_file
from validators.catalog import Case


def redirects(content: Content) -> Iterator[tuple[str, str]]:
    """Each redirect's site path with its HTML."""
    for alias, case in content.catalog.by_alias.items():
        yield _redirect(links.case_page(alias), [case])
    for break_id, cases in cases_by_break(content).items():
        # On a file system that ignores case both are one file, so they must be equal.
        yield _redirect(links.break_page(break_id), cases)
        yield _redirect(links.break_page(break_id.lower()), cases)


def _redirect(path: str, cases: list[Case]) -> tuple[str, str]:
    targets = [(case.title, links.relative(links.case_page(case.name), path)) for case in cases]
    return path, render_file("redirect.html.j2", targets=targets)
