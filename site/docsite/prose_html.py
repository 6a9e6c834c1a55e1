"""Prose as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from docsite.headings import heading
from docsite.highlight import code_block


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
    """All blocks as HTML; the first H1 is left out, as the page has its title already."""
    return "\n".join(_chunks(tokens))


def _chunks(tokens: list[Token]) -> Iterator[str]:
    """Top-level headings, and what is between them."""
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
        yield heading(_text(tokens[index + 1].children or []), level)
    if start < len(tokens):
        yield _block(tokens[start:])


def _block(tokens: list[Token]) -> str:
    html = parser().renderer.render(tokens, parser().options, {})
    return f'<div class="cb-prose">\n{html}</div>'


def _text(children: list[Token]) -> Markup:
    """The text of a heading; code stays code."""
    shown = (child for child in children if not child.content.startswith("<!--"))
    return Markup("").join(
        Markup("<code>{}</code>" if child.type == "code_inline" else "{}").format(child.content)
        for child in shown
    )
