"""`llms.txt`: what an agent should know about this site, and where each page's Markdown is."""

from __future__ import annotations

from docsite.content import Content
from docsite.page import Page
from docsite.pages.indexes import cases_by_break
from docsite.status import cuda_coverage, decided_share

PATH = "llms.txt"


def llms_page(content: Content) -> Page:
    """The page that becomes `llms.txt` (llmstxt.org) once it is written as Markdown."""
    standings, casebook = list(content.standings.values()), content.catalog.casebook
    model = {
        "description": casebook.description,
        "decided": decided_share(standings),
        "cuda": cuda_coverage(standings),
        "breaks": cases_by_break(content),
        "sources": content.sources,
        "areas": content.standings_by_area,
        "guides": content.guides,
        "skills": [it for it in content.skills if it.skill in ("", it.name)],
        "logs": content.logs,
    }
    return Page(PATH, casebook.title, "llms", model)
