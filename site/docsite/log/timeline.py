"""The timeline: what was believed, when it was refuted, and by which evidence."""

from __future__ import annotations

from itertools import groupby

from docsite.content import Content
from docsite.log.history import WORDS
from docsite.page import HOME, LOGS, TIMELINE, Page
from docsite.pages.filters import Field, Option


def timeline_page(content: Content) -> Page:
    """All events, newest first, by day and entry."""
    entries = [entry for entry in content.logs if entry.meta.cases]
    days = [
        (day, [(entry, content.history.groups(entry)) for entry in of_day])
        for day, of_day in groupby(entries, lambda entry: entry.meta.date)
    ]
    model = {"days": days, "fields": _fields(content), "events": content.history.events}
    return Page(TIMELINE[1], TIMELINE[0], "timeline", model, (HOME, LOGS))


def _fields(content: Content) -> list[Field]:
    """The filters; they offer only values that some event has."""
    events = content.history.events
    present = {event.case.area for event in events}
    areas = [it for it in content.standings_by_area if it in present]
    relations = {event.relation for event in events}
    return [
        Field("area", "Area", [(it, it.replace("_", " ")) for it in areas]),
        Field("case", "Case", _cases(content)),
        Field("relation", "What happened", [(r, w) for r, w in WORDS.items() if r in relations]),
    ]


def _cases(content: Content) -> list[Option]:
    """The cases that have events, in the order of their titles, which are plain text here."""
    cases = (content.standings[name].case for name in content.history.by_case)
    options = [(case.name, case.title.replace("`", "")) for case in cases]
    return sorted(options, key=lambda option: (option[1].casefold(), option[0]))
