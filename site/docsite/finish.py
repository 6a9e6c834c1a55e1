"""Complete the built site with what the source of no page can add."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from docsite.log.feed import PATH as FEED

_SEARCH = 'data-md-component="search" role="dialog"'
# Without the space, the theme takes it for a translation, and loads the sitemap of that.
_ALTERNATE = '<link rel="alternate " type="{}" href="{}">\n'


def finish(out: Path) -> None:
    """Put each page's Markdown beside its HTML in `out`/site, and complete heads and search.

    MkDocs takes any Markdown in `docs` for a page, so the Markdown is copied after the build.
    """
    site = out / "site"
    shutil.copytree(out / "markdown", site, dirs_exist_ok=True)
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(_completed(html, page, site / FEED), encoding="utf-8")
    for index in sorted((site / "search").glob("search_index.js*")):
        index.write_text(_without_repeated_tags(index.read_text(encoding="utf-8")), "utf-8")


def _completed(html: str, page: Path, feed: Path) -> str:
    """Name the theme's search dialog, and link the Markdown and the feed in the head."""
    html = html.replace(_SEARCH, f'{_SEARCH} aria-label="Search"')
    if page.with_name(f"{page.name}.md").exists():
        links = _ALTERNATE.format("text/markdown", f"{page.name}.md")
        if feed.exists():
            links += _ALTERNATE.format("application/atom+xml", os.path.relpath(feed, page.parent))
        html = html.replace("</head>", f"{links}</head>", 1)
    return html


def _without_repeated_tags(index: str) -> str:
    """The index, as JSON or as a script, with a page's tags on the page but not on its sections.

    Browsers load the index with every page, and repeated tags are a quarter of it. They also make
    the search find a section for terms that are elsewhere on its page.
    """
    start = index.index("{")
    found = json.loads(index[start:])
    for entry in found["docs"]:
        if "#" in entry["location"]:
            entry.pop("tags", None)
    return index[:start] + json.dumps(found, ensure_ascii=False, separators=(",", ":"))
