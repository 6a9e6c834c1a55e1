"""The built site without what no reader sees, a third of its bytes, and its dialog with a name."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

from docsite.feed import PATH as FEED

_AS_WRITTEN = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
_LINE_END = re.compile(r"\s*\n\s*")
_SEARCH = 'data-md-component="search" role="dialog"'
# The space keeps the theme from taking it for another language, whose sitemap it would load.
_ALTERNATE = '<link rel="alternate " type="{}" href="{}">\n'
_NAMESPACE = '<svg xmlns="http://www.w3.org/2000/svg"'
_SCRIPTS = Path("assets", "javascripts")


def squeeze(site: Path) -> None:
    """Drop indentation of all pages, what the search says twice, source maps and languages.

    The heads of pages get what their source cannot give them.
    """
    for page in site.rglob("*.html"):
        text = _amended(page.read_text(encoding="utf-8"), page, site / FEED)
        page.write_text(_without_indentation(text), encoding="utf-8")
    for index in sorted((site / "search").glob("search_index.js*")):
        index.write_text(_without_repeated_tags(index.read_text(encoding="utf-8")), "utf-8")
    for source_map in (site / "assets").rglob("*.map"):
        source_map.unlink()
    # The search worker loads these for languages other than English only.
    shutil.rmtree(site / _SCRIPTS / "lunr", ignore_errors=True)


def _amended(html: str, page: Path, feed: Path) -> str:
    """The theme's search is a dialog without a name; its head knows neither Markdown nor feed.

    Of a drawing within a page a browser knows the namespace.
    """
    html = html.replace(_NAMESPACE, "<svg").replace(_SEARCH, f'{_SEARCH} aria-label="Search"')
    if page.with_name(f"{page.name}.md").exists():
        links = _ALTERNATE.format("text/markdown", f"{page.name}.md")
        if feed.exists():
            links += _ALTERNATE.format("application/atom+xml", os.path.relpath(feed, page.parent))
        html = html.replace("</head>", f"{links}</head>", 1)
    return html


def _without_indentation(html: str) -> str:
    # Each element that shows space as it is comes as two parts of the split: itself and its name.
    parts = _AS_WRITTEN.split(html)
    parts[::3] = [_LINE_END.sub("\n", part) for part in parts[::3]]
    del parts[2::3]
    return "".join(parts)


def _without_repeated_tags(index: str) -> str:
    """The index, as JSON or as a script, with a page's tags on the page and on no section of it.

    A section that repeats them is found for what stands elsewhere on its page.
    """
    start = index.index("{")
    found = json.loads(index[start:])
    for entry in found["docs"]:
        if "#" in entry["location"]:
            entry.pop("tags", None)
    return index[:start] + json.dumps(found, ensure_ascii=False, separators=(",", ":"))
