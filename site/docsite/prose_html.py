"""Prose as HTML blocks between Markdown headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from docsite.highlight import code_block

_SPECIAL = re.compile(r"[^\w\s,;:/'\"?%=@^|$-]|_")


@cache
def parser() -> MarkdownIt:
    """Reads CommonMark with tables, and renders it as the site shows it."""
    # Without HTML blocks a line that begins with a mark or a tag is still Markdown.
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("html_block")
    markdown.add_render_rule("fence", _fence)
    markdown.add_render_rule("code_block", _fence)
    markdown.add_render_rule("cite", _cite)
    markdown.add_render_rule("table_open", _table_open)
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return markdown


def _fence(_self: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    words = tokens[index].info.split()
    return str(code_block(tokens[index].content, words[0] if words else "text"))


def _cite(_self: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    token = tokens[index]
    return Markup('<a class="cb-cite" href="{}" title="{}">{}</a>').format(
        token.meta["href"], token.meta["title"], token.content
    )


def _table_open(*_: Any) -> str:
    return '<div class="cb-scroll" tabindex="0" role="group" aria-label="table"><table class="cb">'


def prose_html(tokens: list[Token]) -> str:
    """Headings as Markdown, all else as HTML blocks; the first H1 is left out."""
    return "\n\n".join(_chunks(tokens))


def _chunks(tokens: list[Token]) -> Iterator[str]:
    """Top-level headings as Markdown, what is between them as HTML blocks."""
    start, titled = 0, False
    for index, token in enumerate(tokens):
        if token.type != "heading_open" or token.level:
            continue
        if index > start:
            yield _block(tokens[start:index])
        start = index + 3
        if token.tag == "h1" and not titled:
            titled = True
            continue
        level = max(2, int(token.tag[1]))  # a page has one H1, its title
        yield f"{'#' * level} {heading_text(tokens[index + 1].children or [])}"
    if start < len(tokens):
        yield _block(tokens[start:])


def _block(tokens: list[Token]) -> str:
    html = parser().renderer.render(tokens, parser().options, {})
    return f'<div class="cb-prose">\n{html}</div>'


def heading_text(children: list[Token]) -> Markup:
    """The text of a heading, escaped for Markdown; code stays code."""
    shown = (child for child in children if not child.content.startswith("<!--"))
    return Markup("").join(
        Markup("<code>{}</code>").format(plain(child.content))
        if child.type == "code_inline"
        else plain(child.content)
        for child in shown
    )


def title_text(text: str) -> Markup:
    """A title as the text of a Markdown heading; backticks enclose code."""
    return heading_text(parser().parseInline(text)[0].children or [])


def plain(text: str) -> Markup:
    """`text` as Markdown in which every special character stands for itself."""
    return Markup(_SPECIAL.sub(lambda match: f"&#{ord(match[0])};", text))
