"""`llms.txt`: what an agent should know about this site, and where each page's Markdown is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docsite.content import Content
from docsite.page import Page
from docsite.pages.releases import Upgrade
from validators.published.standing import cuda_coverage, decided_share

PATH, FULL_PATH = "llms.txt", "llms-full.txt"


def llms_pages(content: Content, found: Sequence[Upgrade]) -> Iterator[Page]:
    """The pages that become `llms.txt` (llmstxt.org) and `llms-full.txt`, written as Markdown."""
    standings, casebook = list(content.standings.values()), content.catalog.casebook
    model = {
        "description": casebook.description,
        "decided": decided_share(standings),
        "cuda": cuda_coverage(standings),
        "breaks": bool(content.addresses),
        "areas": content.standings_by_area,
        "guides": content.guides,
        "skills": [it for it in content.skills if it.skill in ("", it.name)],
        "logs": content.logs,
        "releases": bool(found),
    }
    yield Page(PATH, casebook.title, "llms", model)
    yield Page(FULL_PATH, casebook.title, "llms_full", model)
