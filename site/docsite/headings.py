"""The headings of a page: unique addresses for them, and the list that stands beside the page."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup, escape

_HEADING = re.compile(r'<h([23]) id="([^"]*)">(.*?)</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Heading:
    """A heading of a page: its level, its address and its text, which is HTML."""

    level: int
    id: str
    text: Markup


def slug(text: str) -> str:
    """The address of a heading with this text, as other generators make it, too."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()) or "section"


def heading(text: str | Markup, level: int = 2) -> Markup:
    """A heading as HTML; `text` is escaped unless it is markup."""
    html = escape(text)
    anchor = slug(Markup(_TAG.sub("", html)).unescape())
    return Markup('<h{} id="{}">{}</h{}>').format(level, anchor, html, level)


def with_unique_ids(html: str) -> tuple[str, list[Heading]]:
    """The page with a number behind each address that it had before, and its headings."""
    seen: Counter[str] = Counter()
    found: list[Heading] = []

    def numbered(match: re.Match[str]) -> str:
        level, anchor, text = match.groups()
        seen[anchor] += 1
        unique = anchor if seen[anchor] == 1 else f"{anchor}_{seen[anchor] - 1}"
        found.append(Heading(int(level), unique, Markup(_without_links(text))))
        return f'<h{level} id="{unique}">{text}</h{level}>'

    return _HEADING.sub(numbered, html), found


def _without_links(html: str) -> str:
    return re.sub(r"</?a\b[^>]*>", "", html)
