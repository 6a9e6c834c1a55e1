"""`llms.txt`: what an agent should know of this site, and where each page's Markdown is."""

from __future__ import annotations

from docsite.content import Content
from docsite.page import Page
from docsite.status import cuda_coverage, decided_share

PATH = "llms.txt"


def llms_page(content: Content) -> Page:
    """The page that becomes `llms.txt` (llmstxt.org) once it is written as Markdown."""
    standings = list(content.standings.values())
    model = {
        "decided": decided_share(standings),
        "cuda": cuda_coverage(standings),
        "areas": content.standings_by_area,
        "guides": content.guides,
        "skills": [it for it in content.skills if it.skill in ("", it.name)],
        "logs": content.logs,
    }
    return Page(PATH, "torch.compile Casebook", "llms.md.j2", model)
