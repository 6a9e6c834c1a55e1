"""A page before it is written: where it goes, what it says, how it is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Crumb = tuple[str, str]
"""A text and the site path that it links to."""


@dataclass(frozen=True)
class Page:
    """One page of the site.

    `path` is its site path (`.../index.html`), `model` what its template shows, `tags` what the
    theme's search finds it by first. `before` and `after` are its neighbours in reading order.
    """

    path: str
    title: str
    template: str
    model: Mapping[str, Any]
    crumbs: tuple[Crumb, ...] = ()
    description: str = ""
    tags: tuple[str, ...] = ()
    before: Crumb | None = None
    after: Crumb | None = None

    @property
    def sidebar(self) -> bool:
        """Whether the page shows the theme's navigation beside it."""
        return self.path.startswith(("areas/", "gb/index.", "guides/"))

    @property
    def wide(self) -> bool:
        """Whether the page's tables need the room of the table of contents."""
        return self.path in (HOME[1], CATALOG[1], MATRIX[1], TIMELINE[1]) or self.path.startswith(
            ("areas/", "models/", "sources/")
        )

    @property
    def source(self) -> str:
        """The Markdown file from which MkDocs builds the page."""
        return self.path.removesuffix(".html") + ".md"


HOME: Crumb = ("Casebook", "index.html")
CATALOG: Crumb = ("Catalog", "catalog/index.html")
MATCH: Crumb = ("Paste an error", "match/index.html")
MATRIX: Crumb = ("Matrix", "matrix/index.html")
GPU: Crumb = ("What a GPU decides first", "first-on-gpu/index.html")
LOGS: Crumb = ("Log", "logs/index.html")
TIMELINE: Crumb = ("Timeline", "timeline/index.html")
GUIDES: Crumb = ("Guides", "guides/index.html")
SOURCES: Crumb = ("What our sources got right and wrong", "sources/index.html")
MODELS: Crumb = ("Real models", "models/index.html")
SKILLS: Crumb = ("Skills", "skills/index.html")
BREAKS: Crumb = ("Graph breaks", "gb/index.html")
ABOUT: Crumb = ("About", "about/index.html")
