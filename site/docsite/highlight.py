"""Source code as highlighted HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from markupsafe import Markup
from pygments import highlight  # type: ignore[import-untyped]
from pygments.filter import Filter  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import TextLexer, get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import Token  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

# Most words of a program are one of them; colour on all would emphasize none.
_UNCOLOURED = {
    Token.Name,
    Token.Name.Builtin,
    Token.Name.Builtin.Pseudo,
    Token.Name.Namespace,
    Token.Operator,
    Token.Punctuation,
    Token.Text.Whitespace,
}


class _Uncoloured(Filter):  # type: ignore[misc]
    """Gives words that have no colour of their own no HTML element of their own."""

    def filter(self, _lexer: Any, stream: Iterable[tuple[Any, str]]) -> Iterator[tuple[Any, str]]:
        for kind, text in stream:
            yield (Token.Text if kind in _UNCOLOURED else kind), text


def code_block(source: str, language: str = "python", marked: Iterable[int] = ()) -> Markup:
    """`source` in a box that scrolls by keyboard, with the lines in `marked` highlighted.

    An unknown language is shown plain.
    """
    return _highlighted(source.rstrip("\n") + "\n", language, tuple(marked))


@cache
def _highlighted(source: str, language: str, marked: tuple[int, ...]) -> Markup:
    html = highlight(source, _lexer(language), _formatter(marked))
    html = html.replace("<span></span><code>", '<code tabindex="0">', 1)
    return Markup(html.rstrip("\n"))


@cache
def _lexer(language: str) -> Any:
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    lexer.add_filter(_Uncoloured())
    return lexer


@cache
def _formatter(marked: tuple[int, ...]) -> Any:
    return HtmlFormatter(cssclass="highlight", wrapcode=True, hl_lines=marked)


def inline_code(text: str) -> Markup:
    """Plain text as HTML; only backticks have a meaning: they enclose code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without a partner is only a backtick
        return Markup("{}").format(text)
    html = [Markup("<code>{}</code>" if i % 2 else "{}").format(p) for i, p in enumerate(parts)]
    return Markup("").join(html)
