"""Markdown that people wrote, with its citations, links and figures resolved.

It is read as CommonMark with tables, which is what GitHub shows. Raw HTML is shown as text, so that
no page can run a script; comments are dropped, and the marks of figures are filled from evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docsite.links import case_page, relative
from docsite.prose_markdown import Body
from validators.catalog import Catalog
from validators.errors import Problem
from validators.evidence import Evidence
from validators.evidence.figures import figure_text, fill

_FIGURE = re.compile(r"<!-- figure (\S+) (\S+) (\S+) -->")
_FIGURE_END = "html_inline", "<!-- /figure -->"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_DEEPEST = 18
"""How deep blocks may nest: two levels deeper, the parser silently leaves out the rest."""
_Ends = tuple[list[Token], list[Token]]
"""What stands before and after a span in place of its marks."""


@cache
def _parser() -> MarkdownIt:
    # Without HTML blocks a line that begins with a mark or a tag is still Markdown.
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("html_block")


@dataclass
class Prose:
    """Reads bodies; `pages` maps each file to the site path that shows it.

    `problems` collects the links that lead nowhere.
    """

    catalog: Catalog
    evidence: Evidence
    pages: dict[Path, str]
    problems: list[Problem] = field(default_factory=list)

    def read(self, body: str, source: Path, first_line: int, page: str) -> Body:
        """`body`, from line `first_line` of `source`, for the page at site path `page`."""
        tokens = _parser().parse(fill(body, self.evidence))
        lines = [first_line + (token.map[0] if token.map else 0) for token in tokens]
        deep = [line for token, line in zip(tokens, lines, strict=True) if token.level > _DEEPEST]
        if deep:
            message = "nests deeper than the site can show; flatten it"
            self.problems.append(Problem(source, deep[0], message))
        for token, line in zip(tokens, lines, strict=True):
            if token.children:
                token.children = list(_Place(self, source, line, page).resolved(token.children))
        return Body(tokens)


@dataclass(frozen=True)
class _Place:
    """Where a block stands on disk and on the site."""

    prose: Prose
    source: Path
    line: int
    page: str

    def resolved(self, spans: Iterable[Token]) -> Iterator[Token]:
        """The spans of the block as text, code, marks and links that lead somewhere."""
        ends: list[list[Token]] = []
        for it in spans:
            mark = _FIGURE.fullmatch(it.content) if it.type == "html_inline" else None
            if it.type == "link_open" or mark:
                start, end = self._figure(*mark.groups()) if mark else self._link(it)
                ends.append(end)
                yield from start
            elif it.type == "link_close" or (it.type, it.content) == _FIGURE_END:
                yield from ends.pop() if ends else ()
            elif it.type == "code_inline":
                yield from self._code(it)
            elif it.type == "image":  # no page loads anything from elsewhere
                yield _text(f"[image: {it.content or it.attrGet('src')}]")
            elif it.type == "html_inline":
                yield _text("" if it.content.startswith("<!--") else it.content)
            else:
                yield it

    def _code(self, token: Token) -> list[Token]:
        """Code, or a link to the case that it cites."""
        name = token.content.removeprefix("case:")
        known = self.prose.catalog.by_any_name.get(name) if name != token.content else None
        if known is None:  # `case:NAME` as an example of how to cite
            return [token]
        start, end = self._link_to(case_page(known.name))
        return [*start, _text(known.name), *end]

    def _link(self, token: Token) -> _Ends:
        """A link on the site or beyond it; nothing around text whose file no page shows."""
        href = str(token.attrGet("href") or "")
        if not href or href.startswith("#") or _SCHEME.match(href):
            return _link_ends(href) if href else ([], [])
        path, mark, anchor = href.partition("#")
        file = (self.source.parent / path).resolve()
        if file.is_dir():
            file = next((f for f in (file / "SKILL.md", file / "README.md") if f.exists()), file)
        if file in self.prose.pages:
            return self._link_to(self.prose.pages[file] + mark + anchor)
        if not file.exists():
            message = f"links to {href}, which does not exist; fix the link"
            self.prose.problems.append(Problem(self.source, self.line, message))
        return [], []

    def _link_to(self, path: str, title: str = "") -> _Ends:
        return _link_ends(relative(path, self.page), title, page=True)

    def _figure(self, case: str, path: str, column: str) -> _Ends:
        """A link to the case whose record has the number, unless the page is the case's own."""
        try:
            figure_text(self.prose.evidence, case, path, column)
        except KeyError:
            return [Token("s_open", "s", 1)], [Token("s_close", "s", -1), _text(" (undecided)")]
        if case_page(case) == self.page:
            return [], []
        return self._link_to(case_page(case), f"{path} of {case} on {column}")


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link_ends(href: str, title: str = "", *, page: bool = False) -> _Ends:
    meta = {"href": href, "title": title, "page": page}
    return [Token("link_open", "a", 1)], [Token("link_close", "a", -1, meta=meta)]
