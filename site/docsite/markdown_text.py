"""Generated Markdown: escaped text, code, links and table rows.

A value with `__html__` is Markdown already; any other is text and is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from docsite.links import REFERENCE, by_backticks, url_of

_SPECIAL = re.compile(r"[\\`*\[\]<~]|!(?=\[|$)|#(?=\s*$)|&(?=#|\w+;|$)|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"[-+=]+(?=\s|$)|#|>|\d+(?=[.)](?:\s|$))")
_CODE = re.compile(r"\\.|(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)")
_LANGUAGE = re.compile(r"[\w#.+-]+")
_NOT_IN_TARGET = re.compile(r"[\s()<>\\`]")


def escape(value: Any) -> Markup:
    """`value` in one line, with a backslash before characters that mean something in Markdown."""
    if hasattr(value, "__html__"):
        return Markup(value)
    return at_start(escape_part(re.sub(r"\s+", " ", str(value))))


def escape_part(text: str) -> str:
    """`text`, escaped for use within a line; its spaces stay."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def at_start(line: str) -> Markup:
    """`line`, escaped so that it does not start a list, heading, quote or rule."""
    found = _AT_START.match(line)
    if not found:
        return Markup(line)
    digits = found[0] if found[0].isdecimal() else ""
    return Markup(f"{digits}\\{line[len(digits) :]}")


def code(text: str) -> Markup:
    """`text` as inline code, in one line."""
    text = " ".join(text.split())
    ticks = "`" * (1 + _longest(text))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return Markup(f"{ticks}{room}{text}{room}{ticks}" if text else "")


def fenced(source: str, language: str = "python", options: str = "") -> Markup:
    """`source` as a block of code; `options` are those of pymdownx.superfences."""
    fence = "`" * max(3, 1 + _longest(source))
    language = language if options or _LANGUAGE.fullmatch(language) else ""
    info = f"{language} {options}".strip()
    return Markup("\n".join([fence + info, source.strip("\n"), fence]))


def inline(text: str) -> Markup:
    """Plain text as Markdown; only backticks have a meaning: they enclose code."""
    parts = enumerate(by_backticks(text))
    written = [code(part) if at % 2 else escape_part(part) for at, part in parts]
    return at_start(" ".join("".join(written).split()))


def linkify(text: str) -> Markup:
    """`text` escaped, with URLs and references such as `pytorch/pytorch#123` as links."""
    parts, end, text = [], 0, re.sub(r"\s+", " ", text)
    for match in REFERENCE.finditer(text):
        url = target(url_of(match))
        parts += [escape_part(text[end : match.start()])]
        parts += [f"[{escape_part(match[0])}]({url})"]
        end = match.end()
    return at_start("".join([*parts, escape_part(text[end:])]))


def target(href: str) -> Markup:
    """The target of a link, with characters escaped that would end it."""
    return Markup(_NOT_IN_TARGET.sub(lambda match: f"%{ord(match[0]):02X}", href))


def row(cells: Iterable[Any]) -> Markup:
    """A row of a table."""
    lines = (
        _CODE.sub(_barred, " ".join(escape(cell).split())).replace("|", "\\|") for cell in cells
    )
    return Markup(f"| {' | '.join(lines)} |")


def _barred(code: re.Match[str]) -> str:
    """Code in a cell: GitHub ends a cell at a bar within it, and Python-Markdown does not."""
    if not code[1] or "|" not in code[0]:
        return code[0]
    return f"<code>{escape_part(code[2].strip()).replace('|', '&#124;')}</code>"


def table_head(cells: Iterable[Any]) -> Markup:
    """The first two rows of a table."""
    names = list(cells)
    return Markup(f"{row(names)}\n| {' | '.join(['---'] * len(names))} |")


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
