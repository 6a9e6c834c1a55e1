"""What stands around every page: the site's name, its navigation, and the reader's torch."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from docsite.content import Content
from docsite.page import (
    ABOUT,
    CATALOG,
    GPU,
    GUIDES,
    LOGS,
    MATRIX,
    MESSAGES,
    MODELS,
    RELEASES,
    SKILLS,
    SOURCES,
    TIMELINE,
    Crumb,
)
from validators.catalog.casebook import Casebook

_NAVIGATION = (CATALOG, MESSAGES, RELEASES, GUIDES, MODELS, LOGS, ABOUT)
_FOOTER = (MATRIX, TIMELINE, SKILLS, SOURCES, GPU)


@dataclass(frozen=True)
class Frame:
    """The parts of a page that all pages share; `paths` are the site paths of all pages.

    `asks_torch` says that readers can choose their torch, since some release has records.
    """

    casebook: Casebook
    paths: frozenset[str]
    asks_torch: bool

    @property
    def navigation(self) -> list[Crumb]:
        """The entries that this site has pages for."""
        return [it for it in _NAVIGATION if it[1] in self.paths]

    @property
    def footer(self) -> list[Crumb]:
        """Pages that are seldom looked for."""
        return [it for it in _FOOTER if it[1] in self.paths]

    @property
    def base(self) -> str:
        """The path of the site's root on its server, as the page of a missing address needs it."""
        return urlsplit(self.casebook.site_url).path.rstrip("/") + "/"

    def address(self, path: str) -> str:
        """Where the page at `path` is on the web; "" if the casebook does not say so."""
        if not self.casebook.site_url:
            return ""
        return urljoin(self.casebook.site_url.rstrip("/") + "/", path.removesuffix("index.html"))


def frame_of(content: Content, paths: frozenset[str]) -> Frame:
    """The frame of the site with pages at `paths`."""
    return Frame(content.catalog.casebook, paths, bool(content.columns))
