"""Prose as Markdown that CommonMark and Python-Markdown read alike; its HTML is text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from markupsafe import Markup

from docsite import markdown_text

_MARKS = {"strong": "**", "em": "*", "s": "~~"}
_FENCED_FIRST = re.compile(r"(?:> ?|(?:-|\d+\.) +)*`{3,}")
"""Code that Python-Markdown knows only on a line without the mark of an item."""
_INDENT = 4
"""Python-Markdown reads what is indented less as no part of a list's item."""


def prose_markdown(tokens: Sequence[Token], place: Callable[[str], str]) -> str:
    """The blocks of `tokens`, without the first heading of level 1.

    `place` makes a link to a page of the site one to its file.
    """
    return "\n\n".join(_Prose(place).blocks(SyntaxTreeNode(tokens).children, top=True))


@dataclass(frozen=True)
class _Prose:
    place: Callable[[str], str]

    def blocks(self, nodes: Sequence[SyntaxTreeNode], *, top: bool = False) -> list[str]:
        blocks, titled = [], not top
        for node in nodes:
            if not titled and node.type == "heading" and node.tag == "h1":
                titled = True
                continue
            if block := self._block(node, lowest=2 if top else 1):
                blocks.append(block)
        return blocks

    def _block(self, node: SyntaxTreeNode, lowest: int = 1) -> str:
        if node.type == "heading":
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
        ends: list[str] = []
        for token in tokens:
            kind, _, part = token.type.rpartition("_")
            if kind in _MARKS:
                yield _MARKS[kind]
            elif kind in ("link", "figure") and part == "open":
                start, end = self._link(token) if kind == "link" else self._figure(token)
                ends.append(end)
                yield start
            elif kind in ("link", "figure"):
                yield ends.pop() if ends else ""
            elif token.type == "cite":
                yield f"[{token.content}]({self.place(token.meta['href'])})"
            elif token.type == "code_inline":
                yield markdown_text.code(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                yield " "
            elif token.type != "html_inline" or not token.content.startswith("<!--"):
                yield markdown_text.escape_part(token.content)

    def _link(self, token: Token) -> tuple[str, str]:
        """What comes before and after the text of a link."""
        href = str(token.attrGet("href") or "")
        if token.meta.get("page"):
            href = self.place(href)
        return "[", f"]({markdown_text.target(href)})"

    def _figure(self, token: Token) -> tuple[str, str]:
        """What comes before and after a number: a link to the case whose record has it."""
        if not token.meta:
            return "~~", "~~ (undecided)"
        if "href" not in token.meta:  # the page's own
            return "", ""
        return "[", f']({self.place(token.meta["href"])} "{token.meta["title"]}")'
