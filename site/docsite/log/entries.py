"""The pages of the experiment log: its index and a page per entry."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import HOME, LOGS, Crumb, Page
from docsite.prose import Prose
from validators.catalog.logs import LogEntry


def log_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """The index, and every entry's page; its neighbours are the entries before and after it."""
    yield Page(LOGS[1], "Experiment log", "logs", {"entries": content.logs}, (HOME,))
    for index, entry in enumerate(content.logs):
        # Newest first: the entry before this one in time comes after it here.
        older = content.logs[index + 1] if index + 1 < len(content.logs) else None
        newer = content.logs[index - 1] if index else None
        yield _log_page(content, prose, entry, older, newer)


def _log_page(
    content: Content, prose: Prose, entry: LogEntry, older: LogEntry | None, newer: LogEntry | None
) -> Page:
    path = links.prose_page("logs", entry.name)
    model = {
        "entry": entry,
        "groups": content.history.groups(entry),
        "refuted": content.history.refuted_since(entry),
        "superseded_by": [e for e in content.logs if e.meta.supersedes == entry.name],
        "body": prose.read(entry.body, entry.path, entry.body_line, path),
    }
    return Page(
        path,
        entry.title,
        "log",
        model,
        (HOME, LOGS),
        entry.meta.summary,
        entry.path.relative_to(content.repository.root).as_posix(),
        _crumb(older),
        _crumb(newer),
    )


def _crumb(entry: LogEntry | None) -> Crumb | None:
    return (entry.title, links.prose_page("logs", entry.name)) if entry else None
