"""Guides and skills: an index for each kind, and a page per document."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import GUIDES, HOME, SKILLS, Crumb, Page
from docsite.prose import Prose
from docsite.status import Standing
from validators.catalog.citations import citations
from validators.catalog.documents import Document

_FOR_AGENTS = "skills-for-agents"
"""The guide that the index of skills leads to."""


def document_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """Both indexes, and the pages of all guides, skills and references."""
    for (title, path), documents in ((GUIDES, content.guides), (SKILLS, content.skills)):
        template = title.lower()
        named = any(it.name == _FOR_AGENTS for it in content.guides)
        model = {"documents": [_listed(content, d) for d in documents], "guide": named}
        yield Page(path, title, template, model, (HOME,))
        for document in documents:
            yield _document_page(content, prose, document, (title, path))


def _document_page(content: Content, prose: Prose, document: Document, index: Crumb) -> Page:
    path = links.prose_page(document.kind, document.name)
    cited = _cited(content, document)
    model = {
        "document": document,
        "cited": cited,
        "lapsed": content.history.lapsed(cited),
        "references": [d for d in content.skills if d.skill and d.skill == document.name != d.name],
        "body": prose.read(document.body, document.path, document.body_line, path),
    }
    crumbs: list[Crumb] = [HOME, index]
    if document.skill not in ("", document.name):
        crumbs.append((document.skill, links.prose_page("skills", document.skill)))
    source = document.path.relative_to(content.repository.root).as_posix()
    return Page(
        path, document.title, "document", model, tuple(crumbs), document.description, source
    )


def _cited(content: Content, document: Document) -> list[Standing]:
    names = dict.fromkeys(content.catalog.find(name).name for _, name in citations(document.body))
    return [content.standings[name] for name in names]


def _listed(content: Content, document: Document) -> tuple[Document, list[Standing]]:
    return document, _cited(content, document)
