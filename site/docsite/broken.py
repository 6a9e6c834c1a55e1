"""Links of the built pages that lead nowhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from html import unescape
from urllib.parse import unquote

_LINK = re.compile(r'<[^>]*?\s(?:href|src)="([^"]*)"')
_ID = re.compile(r'<[^>]*?\sid="([^"]*)"')
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def broken_links(files: Mapping[str, str | bytes]) -> Iterator[str]:
    """A sentence for each link of a page to a file or an anchor that is not among `files`."""
    pages = {path: text for path, text in files.items() if isinstance(text, str)}
    anchors: dict[str, set[str]] = {}

    def has(path: str, anchor: str) -> bool:
        if path not in anchors:
            anchors[path] = {unescape(it) for it in _ID.findall(pages.get(path, ""))}
        return anchor in anchors[path]

    for page, html in pages.items():
        if not page.endswith(".html") or page == "404.html":
            continue
        for link in dict.fromkeys(_LINK.findall(html)):
            place, _, anchor = unescape(link).partition("#")
            if _ELSEWHERE.match(place):
                continue
            path = unquote(place.partition("?")[0])
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
            target = target if path else page
            if target not in files:
                yield f"{page}: links to {link}, which the site does not have; fix the link"
            elif anchor and not has(target, unquote(anchor)):
                yield f"{page}: links to {link}, but there is no such heading; fix the link"
