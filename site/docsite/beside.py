"""Each page as plain Markdown, made of the very text that the site is built from.

What readers of Markdown cannot use is left out: ways around, filters, drawings (their numbers
stay), the parts of a program that stands there as a whole, all that probes saw besides, and what
a cell says of the others that it spans: spans are written out.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from docsite.markup import Element, read
from docsite.page import Page

_LEFT_OUT = {"nav", "form", "button", "script", "style", "template", "figcaption", "colgroup"}
_OWN_LINE, _ON_ITS_SIDE = "cb-id", "cb-matrix"
_LEFT_OUT_CLASSES = {"cb-arm", "cb-seen", "cb-beside", "cb-range"}
_BLOCKS = {"p", "div", "section", "figure", "blockquote", "ul", "ol", "dl", "table", "pre"}
_BLOCKS |= {"details", "summary", "hr", "li", "dt", "dd", "caption", "h1", "h2", "h3", "h4"}
_LINES = {"ul", "ol", "li", "p", "pre", "br"}
_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~"}
_SPECIAL = re.compile(r"[\\`*\[\]<~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"(?:[#>+=-]|\d{1,9}(?=[.)]))")
# A line within a paragraph is none, whatever it begins with.
_HEADING = re.compile(r"(?<![^\n]\n)^(#{1,6}) (.*?)( \{:[^\n]*\})?$", re.MULTILINE)
_TAG = re.compile(r"<[^>]*>")
_AS_WRITTEN = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)


def beside(path: str) -> str:
    """The site path of the Markdown of the page at site path `path`.

    It is both what llmstxt.org asks for: the page's own file name, and `index.html`, with `.md`.
    """
    return f"{path}.md"


def as_markdown(source: str, page: Page, pages: Container[str]) -> str:
    """The page from its `source` (Markdown headings and HTML); links to `pages` lead to theirs."""
    body = source.partition("\n---\n")[2]
    parts = _AS_WRITTEN.split(body)
    ours = {f"{it[1]} {it[2]}" for part in parts[::2] for it in _HEADING.finditer(part) if it[3]}
    parts[::2] = [_HEADING.sub(_as_element, part) for part in parts[::2]]
    parts[1::2] = [f"<pre>{_TAG.sub('', part)}</pre>" for part in parts[1::2]]
    blocks = _Writer(page.path, pages).blocks(read("".join(parts)))
    return "\n\n".join(_without_empty(blocks, ours)) + "\n"


def _without_empty(blocks: list[str], headings: set[str]) -> Iterator[str]:
    """The blocks without those of the `headings` below which everything was left out."""
    for block, following in itertools.zip_longest(blocks, blocks[1:], fillvalue="#"):
        if block not in headings or not following.startswith("#"):
            yield block


def _as_element(heading: re.Match[str]) -> str:
    level = len(heading[1])
    return f"<h{level}>{heading[2]}</h{level}>"


@dataclass(frozen=True)
class _Writer:
    """Writes the elements of the page at site path `page`."""

    page: str
    pages: Container[str]

    def blocks(self, parent: Element) -> list[str]:
        """The blocks in an element; text and inline elements between them are paragraphs."""
        found, run = [], Element("p")
        for child in parent.children:
            if isinstance(child, Element) and _left_out(child):
                continue
            if isinstance(child, Element) and child.tag in _BLOCKS:
                found += [*self._paragraph(run), *self._block(child)]
                run = Element("p")
            else:
                run.children.append(child)
        return [*found, *self._paragraph(run)]

    def _paragraph(self, run: Element) -> list[str]:
        text = self.inline(run)
        if not text:
            return []
        return [f"\\{text}" if text[0] in "#>+=-" and _AT_START.match(text) else _number(text)]

    def _block(self, element: Element) -> list[str]:
        tag = element.tag
        if tag == "pre" or "highlight" in element.classes:
            return [_fenced(element.text(), _language(element))]
        if tag == "table":
            return self._table(element)
        if tag == "hr":
            return ["---"]
        if tag in ("h1", "h2", "h3", "h4"):
            return [f"{'#' * int(tag[1])} {self.inline(element)}"]
        if tag in ("ul", "ol"):
            return self._list(element)
        if tag == "dl":
            return self._words(element)
        blocks = self.blocks(element)
        if tag == "blockquote":
            return ["\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks).split("\n"))]
        if tag == "summary":
            return [f"**{self.inline(element)}**"]
        return blocks

    def _list(self, element: Element) -> list[str]:
        items = []
        for number, item in enumerate(element.all("li"), 1):
            mark = f"{number}. " if element.tag == "ol" else "- "
            items.append(mark + _indented("\n".join(self.blocks(item)), len(mark)))
        return ["\n".join(item.rstrip() for item in items)] if items else []

    def _words(self, element: Element) -> list[str]:
        """A list of terms, what each means behind it or in a list below."""
        lines: list[str] = []
        for item in element.all("dt", "dd"):
            if item.tag == "dt":
                lines.append(f"- **{self.inline(item)}**:")
                continue
            blocks = self.blocks(item)
            below = blocks and blocks[0].startswith("- ")
            lines[-1:] = [f"{line}{'' if below else ' '}" for line in lines[-1:]] or ["- "]
            lines[-1] += _indented(("\n" if below else "") + "\n".join(blocks), 2)
        return ["\n".join(lines)] if lines else []

    def _table(self, table: Element) -> list[str]:
        """The table; spans are written out, header rows joined to one, captions put below."""
        rows = list(_grid(self, table))
        width = max(map(len, rows), default=0)
        rows = [row + [""] * (width - len(row)) for row in rows]
        heads = sum(1 for head in table.all("thead") for _ in head.all("tr"))
        head = [" ".join(dict.fromkeys(filter(None, c))) for c in zip(*rows[:heads], strict=True)]
        rows = [head or [""] * width, *rows[heads:]]
        if _ON_ITS_SIDE in table.classes:
            rows = [list(column) for column in zip(*rows, strict=True)]
        rows[1:1] = [["---"] * len(rows[0])]
        captions = [self.inline(it) for it in table.all("caption")]
        return ["\n".join(f"| {' | '.join(row)} |" for row in rows), *filter(None, captions)]

    def cell(self, cell: Element) -> str:
        """A cell's content in one line."""
        return "; ".join(filter(None, self._cell_lines(cell))).replace("|", "\\|")

    def _cell_lines(self, cell: Element) -> Iterator[str]:
        run = Element("p")
        for child in cell.children:
            if isinstance(child, str) or (
                child.tag not in _LINES and _OWN_LINE not in child.classes
            ):
                run.children.append(child)
                continue
            yield self.inline(run)
            run = Element("p")
            if child.tag in ("pre", "code"):
                yield _code(child.text())
            else:
                yield from self._cell_lines(child)
        yield self.inline(run)

    def inline(self, element: Element) -> str:
        """The text of an element with its marks, in one line."""
        return " ".join("".join(self._inline(element)).split())

    def _inline(self, element: Element) -> Iterator[str]:
        for child in element.children:
            if isinstance(child, str):
                yield _escaped(child)
            elif not _left_out(child):
                yield self._marked(child)

    def _marked(self, element: Element) -> str:
        if element.tag == "svg":
            return _escaped(element.attributes.get("aria-label", ""))
        if element.tag == "code":
            return _code(element.text())
        text = "".join(self._inline(element))
        if element.tag == "br":
            return " "
        if element.tag == "a" and "href" in element.attributes:
            target = self._target(element.attributes["href"])
            if "?" in target and ":" not in target:  # a view of a page that only browsers have
                return text
            alone = ":" in target and target == element.text()
            return f"<{target}>" if alone else f"[{text.strip()}]({target})"
        mark = "**" if "cb-state" in element.classes else _MARKS.get(element.tag, "")
        bare = text.strip()
        if not mark or not bare:
            return text
        return text.replace(bare, f"{mark}{bare}{mark}")

    def _target(self, href: str) -> str:
        path, _, _anchor = href.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), path))
        if path and place in self.pages:
            return beside(path)
        return re.sub(r"[\s()<>\\]", lambda match: f"%{ord(match[0]):02X}", href)


def _escaped(text: str) -> str:
    """`text` with a backslash before what Markdown would read as a mark."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)


def _left_out(element: Element) -> bool:
    return (
        element.tag in _LEFT_OUT
        or "hidden" in element.attributes
        or element.attributes.get("aria-hidden") == "true"
        or not _LEFT_OUT_CLASSES.isdisjoint(element.classes)
    )


def _grid(writer: _Writer, table: Element) -> Iterator[list[str]]:
    """The rows of a table, a cell that spans several written in each."""
    below: dict[int, tuple[int, str]] = {}
    for row in table.all("tr"):
        cells: list[str] = []
        there = list(row.all("td", "th"))
        for cell in there:
            _fill_from_above(cells, below)
            text = writer.cell(cell)
            # A cell that is alone in its row heads those below.
            for _ in range(_span(cell, "colspan") if len(there) > 1 else 1):
                below[len(cells)] = (_span(cell, "rowspan") - 1, text)
                cells.append(text)
        _fill_from_above(cells, below)
        yield cells


def _fill_from_above(cells: list[str], below: dict[int, tuple[int, str]]) -> None:
    while below.get(len(cells), (0, ""))[0]:
        left, text = below[len(cells)]
        below[len(cells)] = (left - 1, text)
        cells.append(text)


def _span(cell: Element, name: str) -> int:
    value = cell.attributes.get(name, "1")
    return int(value) if value.isdecimal() else 1


def _number(text: str) -> str:
    found = _AT_START.match(text)
    return f"{found[0]}\\{text[found.end() :]}" if found and found[0].isdecimal() else text


def _language(element: Element) -> str:
    found = (name for name in element.classes if name.startswith("language-"))
    return next(found, "").removeprefix("language-")


def _fenced(code: str, language: str) -> str:
    fence = "`" * max(3, 1 + _longest(code))
    return "\n".join([fence + language, code.strip("\n"), fence])


def _code(text: str) -> str:
    """`text` as inline code, in one line."""
    text = " ".join(text.split())
    ticks = "`" * (1 + _longest(text))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{text}{room}{ticks}" if text else ""


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _indented(text: str, by: int) -> str:
    return text.replace("\n", "\n" + " " * by)
