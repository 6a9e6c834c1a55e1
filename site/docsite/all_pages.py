"""The pages of the site, from its content."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docsite import links
from docsite.content import Content, Defects
from docsite.page import GPU, SILENT, SOURCES, Page
from docsite.pages.cases import case_pages
from docsite.pages.guides import document_pages
from docsite.pages.indexes import index_pages
from docsite.pages.log import log_pages
from docsite.pages.match import match_page
from docsite.pages.messages import message_pages
from docsite.pages.models import model_pages
from docsite.pages.related import related_cases
from docsite.pages.releases import Upgrade, release_pages
from docsite.pages.silent import silent_pages
from docsite.pages.sources import source_pages
from docsite.prose import Prose
from validators.catalog import gpu_order


def all_pages(content: Content, found: list[Upgrade]) -> list[Page]:
    """Every page, in no particular order; `found` are the upgrades.

    Raises:
        Defects: prose links to something that does not exist.
    """
    prose = Prose(content.catalog, content.evidence, dict(_addresses(content)))
    pages = [*index_pages(content, found), *release_pages(content, found)]
    pages += case_pages(content, prose, related_cases(content))
    pages += document_pages(content, prose)
    pages += [*source_pages(content), *model_pages(content), match_page(content)]
    pages += silent_pages(content)
    pages += message_pages(content, prose)
    pages += log_pages(content, prose)
    if prose.problems:
        raise Defects(prose.problems)
    return pages


def _addresses(content: Content) -> Iterator[tuple[Path, str]]:
    """Each file that people wrote, with the site path that shows it."""
    for case in content.catalog.cases:
        yield case.page.resolve(), links.case_page(case.name)
        yield case.proof.resolve(), links.case_page(case.name)
    for entry in content.logs:
        yield entry.path.resolve(), links.prose_page("logs", entry.name)
    for document in (*content.guides, *content.skills):
        yield document.path.resolve(), links.prose_page(document.kind, document.name)
    for source in content.sources:
        yield source.path.resolve(), links.prose_page("sources", source.name)
    playbooks = content.playbooks.resolve()
    if content.made.silent:
        yield playbooks / "silent" / "README.md", SILENT[1]
    if content.sources:
        yield playbooks / "sources", SOURCES[1]
    if content.gpu_order.first:
        yield playbooks / gpu_order.FILE, GPU[1]
