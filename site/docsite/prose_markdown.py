"""Prose as Markdown that CommonMark and Python-Markdown read alike; its HTML is text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from markupsafe import Markup

from docsite import markdown_text

_MARKS = {"strong": "**", "em": "*", "s": "~~"}
_FENCED_FIRST = re.compile(r"(?:> ?|(?:-|\d+\.) +)*`{3,}")
"""Code that Python-Markdown knows only on a line without the mark of an item."""
_INDENT = 4
"""Python-Markdown reads what is indented less as no part of a list's item."""


@dataclass(frozen=True)
class Body:
    """Prose with its citations, links and figures resolved.

    The first H1 is left out: the page has its title already.
    """

    tokens: list[Token]

    def markdown(self, place: Callable[[str], str]) -> Markup:
        """All of it as Markdown; `place` makes a link to a page of the site one to its file."""
        nodes = SyntaxTreeNode(self.tokens).children
        title = next((it for it in nodes if (it.type, it.tag) == ("heading", "h1")), None)
        blocks = _Writer(place).blocks([it for it in nodes if it is not title])
        return Markup("\n\n".join(blocks))


@dataclass(frozen=True)
class _Writer:
    place: Callable[[str], str]

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> list[str]:
        return [block for it in nodes if (block := self._block(it))]

    def _block(self, node: SyntaxTreeNode) -> str:
        if node.type == "heading":
            # At the top, the title is the only heading of level 1.
            lowest = 1 if node.level else 2
            return f"{'#' * max(lowest, int(node.tag[1]))} {self._line(node)}".rstrip()
        if node.type in ("fence", "code_block"):
            return markdown_text.fenced(node.content, "".join(node.info.split()[:1]))
        if node.type == "blockquote":
            lines = "\n\n".join(self.blocks(node.children)).split("\n")
            return "\n".join(f"> {line}".rstrip() for line in lines)
        if node.type in ("bullet_list", "ordered_list"):
            items = list(self._items(node))
            loose = any("\n\n" in it or "```" in it for it in items)
            return ("\n\n" if loose else "\n").join(items)
        if node.type == "table":
            return "\n".join(self._rows(node))
        if node.type == "hr":
            return "---"
        return markdown_text.at_start(self._line(node))

    def _items(self, node: SyntaxTreeNode) -> Iterator[str]:
        first = int(node.attrs.get("start", 1))
        for number, item in enumerate(node.children, first):
            mark = "-" if node.type == "bullet_list" else f"{number}."
            text = ""
            for child in item.children:
                block = str(self._block(child))  # else markup would escape what is added to it
                text += ("\n" if child.type.endswith("_list") else "\n\n") * bool(text) + block
            if _FENCED_FIRST.match(text):
                text = f"<!-- -->\n\n{text}"
            inner = re.sub(r"\n(?!\n)", "\n" + " " * _INDENT, text)
            if inner:
                yield f"{f'{mark} '.ljust(_INDENT)}{inner}".rstrip()

    def _rows(self, table: SyntaxTreeNode) -> Iterator[str]:
        for part in table.children:
            for tr in part.children:
                cells = [Markup(self._line(cell)) for cell in tr.children]
                write = markdown_text.table_head if part.type == "thead" else markdown_text.row
                yield write(cells)

    def _line(self, node: SyntaxTreeNode) -> str:
        """The text of a block with its marks, in one line."""
        inline = (child for child in node.children if child.type == "inline")
        tokens = (
            token for child in inline for token in (child.token and child.token.children) or ()
        )
        return " ".join("".join(self._spans(tokens)).split())

    def _spans(self, tokens: Iterator[Token]) -> Iterator[str]:
        for token in tokens:
            kind = token.type.rpartition("_")[0]
            if kind in _MARKS:
                yield _MARKS[kind]
            elif token.type == "link_open":
                yield "["
            elif token.type == "link_close":
                yield self._target(token.meta)
            elif token.type == "code_inline":
                yield markdown_text.code(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                yield " "
            else:
                yield markdown_text.escape_part(token.content)

    def _target(self, link: dict[str, Any]) -> str:
        """What comes after the text of a link."""
        href = self.place(link["href"]) if link["page"] else link["href"]
        title = f' "{link["title"]}"' if link["title"] else ""
        return f"]({markdown_text.target(href)}{title})"
