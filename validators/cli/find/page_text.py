"""Markdown as text for a terminal: no marks, paragraphs wrapped, tables laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from validators.styled import CODE, HEADING, NAME, Line, Span, width_of, words_of, wrapped

INDENT: Span = ("  ", "")
_CODE_INDENT: Span = ("    ", "")
_GAP = 2


def page_lines(markdown: str, width: int) -> list[Line]:
    """A page as lines: headings at the margin, all else indented; the first H1 is left out."""
    nodes = SyntaxTreeNode(_parser().parse(markdown)).children
    first = next((it for it in nodes if it.tag == "h1"), None)
    lines: list[Line] = []
    for node in (it for it in nodes if it is not first):
        is_heading = node.type == "heading"
        block = _block(node, width if is_heading else width - len(INDENT[0]))
        before: list[Line] = [[]] if lines and (is_heading or not _is_heading(lines[-1])) else []
        lines += [*before, *(block if is_heading else _indented(block))]
    return lines


@cache
def _parser() -> MarkdownIt:
    # Without HTML blocks, a line that begins with a mark of a figure is still Markdown.
    return MarkdownIt("commonmark").enable("table").disable("html_block")


def _is_heading(line: Line) -> bool:
    return bool(line) and line[0] != INDENT


def _indented(lines: Iterable[Line], by: Span = INDENT) -> list[Line]:
    return [[by, *line] if line else [] for line in lines]


def _blocks(nodes: Sequence[SyntaxTreeNode], width: int, *, apart: bool = True) -> list[Line]:
    """Blocks one after the other, with an empty line between them if they are `apart`."""
    lines: list[Line] = []
    for node in nodes:
        block = _block(node, width)
        lines += [*([[]] if lines and block and apart else []), *block]
    return lines


def _block(node: SyntaxTreeNode, width: int) -> list[Line]:
    if node.type in ("fence", "code_block"):
        return code_lines(node.content)
    if node.type in ("bullet_list", "ordered_list"):
        return _list(node, width)
    if node.type == "blockquote":
        return _indented(_blocks(node.children, width - 2), ("| ", ""))
    if node.type == "table":
        return _table(node, width)
    if node.type == "hr":
        return [[("─" * width, "")]]
    return wrapped(_inline(node, HEADING if node.type == "heading" else ""), width)


def code_lines(source: str) -> list[Line]:
    """A block of code; its lines are never broken."""
    lines = source.rstrip("\n").expandtabs(4).split("\n")
    return _indented([[(line, CODE)] if line else [] for line in lines], _CODE_INDENT)


def _list(node: SyntaxTreeNode, width: int) -> list[Line]:
    start = int(node.attrs.get("start", 1))
    tight = all(it.hidden for item in node.children for it in item.children if it.tag == "p")
    lines: list[Line] = []
    for number, item in enumerate(node.children, start):
        mark = f"{number}. " if node.type == "ordered_list" else "- "
        inside = _blocks(item.children, width - len(mark), apart=not tight)
        inner = _indented(inside, (" " * len(mark), ""))
        lines += [[]] if lines and not tight else []
        lines += [[(mark, ""), *(inner[0][1:] if inner else [])], *inner[1:]]
    return lines


def _inline(node: SyntaxTreeNode, style: str = "") -> Iterator[Span]:
    """The text of a node without its marks."""
    if node.type == "text" or (node.type == "html_inline" and not node.content.startswith("<!--")):
        yield node.content, style
    elif node.type in ("softbreak", "hardbreak"):
        yield " ", style
    elif node.type == "code_inline":
        name = node.content.removeprefix("case:")
        cited = name != node.content
        yield (f"case {name}", NAME) if cited else (name, f"{style} {CODE}".strip())
    elif node.type == "image":
        yield f"[image: {node.content or node.attrs.get('src')}]", style
    else:
        inner = {"em": "italic", "strong": "bold"}.get(node.type, "")
        spans = [it for child in node.children for it in _inline(child, f"{style} {inner}".strip())]
        yield from spans
        href = str(node.attrs.get("href", ""))
        # Links to files of the repository lead nowhere from a terminal.
        text = "".join(text for text, _ in spans)
        if ":" in href and text not in (href, href.removeprefix("mailto:")):
            yield f" ({href})", style


def _table(node: SyntaxTreeNode, width: int) -> list[Line]:
    """Columns of equal width in each row, a rule below the first row."""
    rows = [
        [list(_inline(cell, HEADING if cell.type == "th" else "")) for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    widths = _widths(rows, width)
    head, *body = [_row(row, widths) for row in rows]
    rule: Line = [("─" * (sum(widths) + _GAP * (len(widths) - 1)), "")]
    return [*head, rule, *(line for row in body for line in row)]


def _widths(rows: Sequence[Sequence[Line]], width: int) -> list[int]:
    """The columns' widths: what they need or, if that is too much, a fair share of the room."""
    columns = list(zip(*rows, strict=True))
    wanted = [max(map(width_of, column)) for column in columns]
    least = [max(map(_longest, column)) for column in columns]
    missing = sum(wanted) + _GAP * (len(wanted) - 1) - width
    if missing <= 0:
        return wanted
    give = [want - need for want, need in zip(wanted, least, strict=True)]
    share = min(1.0, missing / max(sum(give), 1))
    return [want - int(-(-it * share // 1)) for want, it in zip(wanted, give, strict=True)]


def _longest(cell: Line) -> int:
    """The width of the longest part that cannot be broken."""
    return max(map(width_of, words_of(cell)), default=0)


def _row(cells: Sequence[Line], widths: Sequence[int]) -> list[Line]:
    columns = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines: list[Line] = []
    for *parts, last in zip_longest(*columns, fillvalue=[]):
        line: Line = []
        for part, width in zip(parts, widths, strict=False):
            line += [*part, (" " * (width + _GAP - width_of(part)), "")]
        lines.append([*line, *last])
    return lines
