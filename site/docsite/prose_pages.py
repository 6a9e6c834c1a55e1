"""Log entries, guides and skills."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import GUIDES, HOME, LOGS, SKILLS, Crumb, Page
from docsite.prose import Prose
from docsite.status import Standing
from validators.catalog.citations import citations
from validators.catalog.documents import Document
from validators.catalog.logs import LogEntry


def prose_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """An index for each kind of prose, and its pages."""
    yield Page(LOGS[1], "Experiment log", "logs.md.j2", {"entries": content.logs}, (HOME,))
    for index, entry in enumerate(content.logs):
        # Newest first: the entry before this one in time comes after it here.
        older = content.logs[index + 1] if index + 1 < len(content.logs) else None
        newer = content.logs[index - 1] if index else None
        yield _log_page(content, prose, entry, older, newer)
    for (title, path), documents in ((GUIDES, content.guides), (SKILLS, content.skills)):
        template = f"{title.lower()}.md.j2"
        model = {"documents": [_listed(content, d) for d in documents]}
        yield Page(path, title, template, model, (HOME,))
        for document in documents:
            yield _document_page(content, prose, document, (title, path))


def _log_page(
    content: Content, prose: Prose, entry: LogEntry, older: LogEntry | None, newer: LogEntry | None
) -> Page:
    path = links.prose_page("logs", entry.name)
    model = {
        "entry": entry,
        "groups": content.history.groups(entry),
        "refuted": content.history.refuted_since(entry),
        "superseded_by": [e for e in content.logs if e.meta.supersedes == entry.name],
        "body": prose.render(entry.body, entry.path, entry.body_line, path),
    }
    return Page(
        path,
        entry.title,
        "log.md.j2",
        model,
        (HOME, LOGS),
        entry.meta.summary,
        tuple(entry.meta.cases),
        _log_crumb(older),
        _log_crumb(newer),
    )


def _log_crumb(entry: LogEntry | None) -> Crumb | None:
    return (entry.title, links.prose_page("logs", entry.name)) if entry else None


def _document_page(content: Content, prose: Prose, document: Document, index: Crumb) -> Page:
    path = links.prose_page(document.kind, document.name)
    cited = _cited(content, document)
    model = {
        "document": document,
        "cited": cited,
        "lapsed": content.history.lapsed(cited),
        "references": [d for d in content.skills if d.skill and d.skill == document.name != d.name],
        "body": prose.render(document.body, document.path, document.body_line, path),
    }
    crumbs: list[Crumb] = [HOME, index]
    if document.skill not in ("", document.name):
        crumbs.append((document.skill, links.prose_page("skills", document.skill)))
    words = tuple(standing.case.name for standing in cited)
    return Page(
        path, document.title, "document.md.j2", model, tuple(crumbs), document.description, words
    )


def _cited(content: Content, document: Document) -> list[Standing]:
    names = dict.fromkeys(content.catalog.find(name).name for _, name in citations(document.body))
    return [content.standings[name] for name in names]


def _listed(content: Content, document: Document) -> tuple[Document, list[Standing]]:
    return document, _cited(content, document)
