"""`feed.xml`: the latest changes of what is known about cases, as an Atom feed (RFC 4287)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

from docsite.content import Content
from docsite.page import FEED, LOGS
from docsite.render import render_file
from validators.evidence.columns import listed
from validators.published.history import Event

_MOST = 60
"""The most changes that the feed holds."""
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "http://www.w3.org/2005/Atom")
# XML cannot hold these characters, not even as references.
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed(content: Content, title: str) -> str:
    """The latest changes, newest first, as the feed of the site that is called `title`.

    The build may not know where the site will be served, so links are relative to the feed. Ids
    are made from the site's title, or from what an entry did to a case.
    """
    events = content.history.events[: -_MOST - 1 : -1]
    items = [
        (event, _id(event.entry.name, event.relation, event.case.name), " ".join(_said(event)))
        for event in events
    ]
    dated = [event.entry for event in events] or content.logs
    newest = str(dated[0].meta.date) if dated else "1980-01-01"
    values = {"site": title, "id": _id(title), "updated": newest, "path": FEED}
    text = render_file("feed.xml.j2", items=items, alternate=LOGS[1], **values)
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _id(*names: str) -> str:
    return uuid.uuid5(_IDS, "\n".join(names)).urn


def _said(event: Event) -> Iterator[str]:
    """The event in sentences."""
    yield event.entry.meta.summary.strip()
    if (event.subject, event.relation) == ("belief", "refutes"):
        yield f"{event.instead}: {event.case.summary}"
    for cells in event.verdicts:
        yield f"The case is {cells[0].state.word} on torch {listed(c.column for c in cells)}."
    if event.refutation:
        yield f"Refuted since, on {event.refutation.entry.meta.date}."
