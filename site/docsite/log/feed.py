"""`feed.xml`: each change of what is known about a case, as an Atom feed (RFC 4287)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from docsite.content import Content
from docsite.page import FEED, TIMELINE
from docsite.render import render_file
from validators.evidence.columns import listed
from validators.published.history import Event

_MOST = 60
"""Entries of a page of the feed; readers follow the links between pages (RFC 5005)."""
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "http://www.w3.org/2005/Atom")
# XML cannot hold these characters, not even as references.
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feeds(content: Content, title: str) -> dict[str, str | bytes]:
    """The pages of the feed of the site that is called `title`, newest first.

    The build may not know where the site will be served, so links are relative to the feed. Ids
    are made from the site's title, or from what an entry did to a case.
    """
    items = [
        (event, _id(event.entry.name, event.relation, event.case.name), " ".join(_said(event)))
        for event in reversed(content.history.events)
    ]
    dated = [event.entry for event, *_ in items] or content.logs
    newest = str(dated[0].meta.date) if dated else "1980-01-01"
    head = {"site": title, "id": _id(title), "updated": newest, "alternate": TIMELINE[1]}
    entries = [Markup(_written("entry.xml.j2", item=it)) for it in items]
    parts = [entries[at : at + _MOST] for at in range(0, len(entries), _MOST)] or [[]]
    paths = [FEED, *(f"feed-{number}.xml" for number in range(2, len(parts) + 1))]
    return {
        path: _written(
            "feed.xml.j2", **head, entries=part, path=path, following=paths[at + 1 : at + 2]
        )
        for at, (path, part) in enumerate(zip(paths, parts, strict=True))
    }


def _written(template: str, **values: Any) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", render_file(template, **values))


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
