"""Guides and skills: an index for each kind, and a page per document."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import GUIDES, HOME, SKILLS, Crumb, Page
from docsite.prose import Prose
from validators.catalog.documents import Document
from validators.published.standing import Standing

_FOR_AGENTS = "skills-for-agents"
"""The guide that the index of skills leads to."""


def document_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """Both indexes, and the pages of all guides, skills and references."""
    named = any(it.name == _FOR_AGENTS for it in content.guides)
    for (title, path), documents in ((GUIDES, content.guides), (SKILLS, content.skills)):
        listed = [(it, _cited(content, it)) for it in documents]
        yield Page(path, title, title.lower(), {"documents": listed, "guide": named}, (HOME,))
        for document, cited in listed:
            yield _document_page(content, prose, document, cited, (title, path))


def _document_page(
    content: Content, prose: Prose, document: Document, cited: list[Standing], index: Crumb
) -> Page:
    path = links.prose_page(document.kind, document.name)
    model = {
        "document": document,
        "cited": cited,
        "lapsed": content.history.lapsed(cited),
        "references": [d for d in content.skills if d.skill and d.skill == document.name != d.name],
        "body": prose.read(document.body, document.path, document.body_line, path),
    }
    crumbs: tuple[Crumb, ...] = (HOME, index)
    if document.skill not in ("", document.name):
        crumbs += ((document.skill, links.prose_page("skills", document.skill)),)
    source = document.path.relative_to(content.root).as_posix()
    return Page(path, document.title, "document", model, crumbs, document.description, source)


def _cited(content: Content, document: Document) -> list[Standing]:
    return [content.standings[name] for name in content.cited_in(document.body)]
