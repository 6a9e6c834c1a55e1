"""What the built site lacks and no source of a page can give it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from docsite.log.feed import PATH as FEED

_SEARCH = 'data-md-component="search" role="dialog"'
# The space keeps the theme from taking it for another language, whose sitemap it would load.
_ALTERNATE = '<link rel="alternate " type="{}" href="{}">\n'


def finish(out: Path) -> None:
    """Put each page's Markdown beside its HTML in `out`/site, and complete heads and search.

    A generator of sites takes any Markdown in `docs` for a page, so the Markdown comes afterwards.
    """
    site = out / "site"
    shutil.copytree(out / "markdown", site, dirs_exist_ok=True)
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(_completed(html, page, site / FEED), encoding="utf-8")
    for index in sorted((site / "search").glob("search_index.js*")):
        index.write_text(_without_repeated_tags(index.read_text(encoding="utf-8")), "utf-8")


def _completed(html: str, page: Path, feed: Path) -> str:
    """The theme's search is a dialog without a name; its head knows neither Markdown nor feed."""
    html = html.replace(_SEARCH, f'{_SEARCH} aria-label="Search"')
    if page.with_name(f"{page.name}.md").exists():
        links = _ALTERNATE.format("text/markdown", f"{page.name}.md")
        if feed.exists():
            links += _ALTERNATE.format("application/atom+xml", os.path.relpath(feed, page.parent))
        html = html.replace("</head>", f"{links}</head>", 1)
    return html


def _without_repeated_tags(index: str) -> str:
    """The index, as JSON or as a script, with a page's tags on the page and on no section of it.

    Browsers load it with every page, and the repetition is a quarter of it. A section that repeats
    the tags is found for what stands elsewhere on its page.
    """
    start = index.index("{")
    found = json.loads(index[start:])
    for entry in found["docs"]:
        if "#" in entry["location"]:
            entry.pop("tags", None)
    return index[:start] + json.dumps(found, ensure_ascii=False, separators=(",", ":"))
