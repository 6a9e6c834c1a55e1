"""The pages of the experiment log: its index, and a page per entry."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import HOME, LOGS, Page, in_order
from docsite.prose import Prose
from validators.catalog.logs import LogEntry
from validators.published.history import Group


def log_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """The index with what each entry did to cases, and every entry's page, in order of time."""
    entries = [(entry, content.history.groups(entry)) for entry in content.logs]
    yield Page(LOGS[1], "Experiment log", "logs", {"entries": entries}, (HOME,))
    yield from in_order([_log_page(content, prose, *it) for it in reversed(entries)])


def _log_page(content: Content, prose: Prose, entry: LogEntry, groups: list[Group]) -> Page:
    path = links.prose_page("logs", entry.name)
    model = {
        "entry": entry,
        "groups": groups,
        "refuted": content.history.refuted_since(entry),
        "superseded_by": [e for e in content.logs if e.meta.supersedes == entry.name],
        "body": prose.read(entry.body, entry.path, entry.body_line, path),
    }
    source = entry.path.relative_to(content.root).as_posix()
    return Page(path, entry.title, "log", model, (HOME, LOGS), entry.meta.summary, source)
