"""The pages of the experiment log: its index, a page per entry, and the timeline of the cases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from docsite import links
from docsite.content import Content
from docsite.page import HOME, LOGS, TIMELINE, Page, in_order
from docsite.pages.filters import Field
from docsite.prose import Prose
from validators.catalog.logs import LogEntry
from validators.published.history import WORDS


def log_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """The index, every entry's page, in order of time, and what the entries did to the cases."""
    yield Page(LOGS[1], "Experiment log", "logs", {"entries": content.logs}, (HOME,))
    yield from in_order([_log_page(content, prose, it) for it in reversed(content.logs)])
    yield timeline_page(content)


def _log_page(content: Content, prose: Prose, entry: LogEntry) -> Page:
    path = links.prose_page("logs", entry.name)
    model = {
        "entry": entry,
        "groups": content.history.groups(entry),
        "refuted": content.history.refuted_since(entry),
        "superseded_by": [e for e in content.logs if e.meta.supersedes == entry.name],
        "body": prose.read(entry.body, entry.path, entry.body_line, path),
    }
    source = entry.path.relative_to(content.root).as_posix()
    return Page(path, entry.title, "log", model, (HOME, LOGS), entry.meta.summary, source)


def timeline_page(content: Content) -> Page:
    """All events, newest first, by day and entry."""
    entries = [entry for entry in content.logs if entry.meta.cases]
    days = [
        (day, [(entry, content.history.groups(entry)) for entry in of_day])
        for day, of_day in groupby(entries, lambda entry: entry.meta.date)
    ]
    model = {"days": days, "fields": _fields(content)}
    return Page(TIMELINE[1], TIMELINE[0], "timeline", model, (HOME, LOGS))


def _fields(content: Content) -> list[Field]:
    """The filters; they offer only values that some event has. The page fills in its cases."""
    events = content.history.events
    present = {event.case.area for event in events}
    areas = [it for it in content.standings_by_area if it in present]
    relations = {event.relation for event in events}
    return [
        Field("area", "Area", [(it, it.replace("_", " ")) for it in areas]),
        Field("case", "Case", []),
        Field("relation", "What happened", [(r, w) for r, w in WORDS.items() if r in relations]),
    ]
