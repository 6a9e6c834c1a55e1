"""Source code as highlighted HTML."""

from __future__ import annotations

from markupsafe import Markup
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import TextLexer, get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

_FORMATTER = HtmlFormatter(cssclass="highlight", wrapcode=True)


def code_block(source: str, language: str = "python") -> Markup:
    """`source` in a box that scrolls by keyboard; an unknown language is shown plain."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    html = highlight(source.rstrip("\n") + "\n", lexer, _FORMATTER)
    return Markup(html.replace("<code>", '<code tabindex="0">', 1).rstrip("\n"))


def inline_code(text: str) -> Markup:
    """Plain text in which nothing but backticks has a meaning: they enclose code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without a partner is only a backtick
        return Markup("{}").format(text)
    html = [Markup("<code>{}</code>" if i % 2 else "{}").format(p) for i, p in enumerate(parts)]
    return Markup("").join(html)
