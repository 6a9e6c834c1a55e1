"""Prose as Markdown again: its links and figures resolved, its HTML shown as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from markupsafe import Markup

from docsite import markdown_text

_MARKS = {"strong": "**", "em": "*", "s": "~~"}


def prose_markdown(tokens: Sequence[Token]) -> str:
    """The blocks of `tokens`, without the first heading of level 1."""
    return "\n\n".join(_blocks(SyntaxTreeNode(tokens).children, top=True))


def _blocks(nodes: Sequence[SyntaxTreeNode], *, top: bool = False) -> list[str]:
    blocks, titled = [], not top
    for node in nodes:
        if not titled and node.type == "heading" and node.tag == "h1":
            titled = True
            continue
        if block := _block(node, lowest=2 if top else 1):
            blocks.append(block)
    return blocks


def _block(node: SyntaxTreeNode, lowest: int) -> str:
    if node.type == "heading":
        return f"{'#' * max(lowest, int(node.tag[1]))} {_line(node)}".rstrip()
    if node.type in ("fence", "code_block"):
        return markdown_text.fenced(node.content, "".join(node.info.split()[:1]))
    if node.type == "blockquote":
        lines = "\n\n".join(_blocks(node.children)).split("\n")
        return "\n".join(f"> {line}".rstrip() for line in lines)
    if node.type in ("bullet_list", "ordered_list"):
        return "\n".join(_items(node))
    if node.type == "table":
        return "\n".join(_rows(node))
    if node.type == "hr":
        return "---"
    return markdown_text.at_start(_line(node))


def _items(node: SyntaxTreeNode) -> Iterator[str]:
    first = int(node.attrs.get("start", 1))
    for number, item in enumerate(node.children, first):
        mark = "- " if node.type == "bullet_list" else f"{number}. "
        text = ""
        for child, block in zip(item.children, map(_item_block, item.children), strict=True):
            text += ("\n" if child.type.endswith("_list") else "\n\n") * bool(text) + block
        yield (mark + re.sub(r"\n(?!\n)", "\n" + " " * len(mark), text)).rstrip()


def _item_block(node: SyntaxTreeNode) -> str:
    return _block(node, lowest=1)


def _rows(table: SyntaxTreeNode) -> Iterator[str]:
    for part in table.children:
        for tr in part.children:
            cells = [Markup(_line(cell)) for cell in tr.children]
            write = markdown_text.table_head if part.type == "thead" else markdown_text.row
            yield write(cells)


def _line(node: SyntaxTreeNode) -> str:
    """The text of a block with its marks, in one line."""
    inline = (child for child in node.children if child.type == "inline")
    tokens = (token for child in inline for token in (child.token and child.token.children) or ())
    return " ".join("".join(_spans(tokens)).split())


def _spans(tokens: Iterator[Token]) -> Iterator[str]:
    ends: list[str] = []
    address = False
    for token in tokens:
        kind, _, part = token.type.rpartition("_")
        if token.markup == "autolink":
            address = token.type == "link_open"
            yield f"<{markdown_text.target(str(token.attrGet('href')))}>" if address else ""
        elif address:
            continue
        elif kind in _MARKS:
            yield _MARKS[kind]
        elif kind == "link" and part == "open":
            start, end = _link(token)
            ends.append(end)
            yield start
        elif kind == "link":
            yield ends.pop() if ends else ""
        elif token.type == "cite":
            yield f"[{token.content}]({token.meta['href']}.md)"
        elif token.type == "code_inline":
            yield markdown_text.code(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif not token.content.startswith("<!--"):
            yield markdown_text.escape_part(token.content)


def _link(token: Token) -> tuple[str, str]:
    """What comes before and after the text of a link."""
    href = str(token.attrGet("href") or "")
    if token.meta.get("page"):
        href = href.partition("#")[0] + ".md"
    return "[", f"]({markdown_text.target(href)})"
