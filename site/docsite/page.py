"""A page before it is written: where it goes, what it says, how it is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Crumb = tuple[str, str]
"""A text and the site path that it links to."""


@dataclass(frozen=True)
class Page:
    """One page of the site.

    `path` is its site path (`.../index.html`), `model` what its template shows. `before` and
    `after` are its neighbours in reading order. `source` is the file of the repository that people
    edit to change it, "" if programs write it all.
    """

    path: str
    title: str
    template: str
    model: Mapping[str, Any]
    crumbs: tuple[Crumb, ...] = ()
    description: str = ""
    source: str = ""
    before: Crumb | None = None
    after: Crumb | None = None

    @property
    def hide(self) -> list[str]:
        """What does not stand beside the page: only a case has an area's other pages there."""
        if self.template == "case":
            return []
        wide = self.path in (HOME[1], CATALOG[1], MATRIX[1]) or self.path.startswith(
            (
                "areas/",
                "models/",
                "sources/",
                "gb/index",
                "messages/guards/index",
                "messages/exceptions/index",
            )
        )
        return ["navigation", "toc"] if wide else ["navigation"]


def in_order(pages: Sequence[Page]) -> Iterator[Page]:
    """`pages`, which are in reading order, each with its neighbours."""
    around = [None, *((it.title, it.path) for it in pages), None]
    for at, page in enumerate(pages):
        yield replace(page, before=around[at], after=around[at + 2])


HOME: Crumb = ("Casebook", "index.html")
CATALOG: Crumb = ("Catalog", "catalog/index.html")
MATCH: Crumb = ("Paste an error", "match/index.html")
MATRIX: Crumb = ("Matrix", "matrix/index.html")
GPU: Crumb = ("What a GPU decides first", "first-on-gpu/index.html")
LOGS: Crumb = ("Log", "logs/index.html")
GUIDES: Crumb = ("Guides", "guides/index.html")
SOURCES: Crumb = ("What our sources got right and wrong", "sources/index.html")
SILENT: Crumb = ("Silent errors", "silent/index.html")
MODELS: Crumb = ("Models", "models/index.html")
SKILLS: Crumb = ("Skills", "skills/index.html")
BREAKS: Crumb = ("Graph breaks", "gb/index.html")
MESSAGES: Crumb = ("Messages", "messages/index.html")
RELEASES: Crumb = ("Releases", "releases/index.html")
ABOUT: Crumb = ("About", "about/index.html")
FEED = "feed.xml"
