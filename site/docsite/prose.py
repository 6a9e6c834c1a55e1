"""Markdown that people wrote, with its citations, links and figures resolved.

It is read as CommonMark with tables, which is what GitHub shows. Raw HTML is shown as text, so that
no page can run a script; comments are dropped, and the marks of figures are filled from evidence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from docsite.links import case_page, relative
from docsite.prose_markdown import prose_markdown
from validators.catalog import Catalog
from validators.errors import Problem
from validators.evidence import Evidence
from validators.evidence.figures import figure_text, fill

_FIGURE = re.compile(r"<!-- figure (\S+) (\S+) (\S+) -->")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_DEEPEST = 18
"""How deep blocks may nest: two levels deeper, the parser silently leaves out the rest."""


@cache
def _parser() -> MarkdownIt:
    # Without HTML blocks a line that begins with a mark or a tag is still Markdown.
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("html_block")


@dataclass(frozen=True)
class Body:
    """Prose with its citations, links and figures resolved.

    The first H1 is left out: the page has its title already.
    """

    tokens: list[Token]

    def markdown(self, place: Callable[[str], str]) -> Markup:
        """All of it as Markdown; `place` makes a link to a page of the site one to its file."""
        return Markup(prose_markdown(self.tokens, place))


@dataclass
class Prose:
    """Reads bodies; `pages` maps each file to the site path that shows it.

    `problems` collects the links that lead nowhere.
    """

    catalog: Catalog
    evidence: Evidence
    root: Path
    pages: dict[Path, str]
    problems: list[Problem] = field(default_factory=list)

    def read(self, body: str, source: Path, first_line: int, page: str) -> Body:
        """`body`, from line `first_line` of `source`, for the page at site path `page`."""
        tokens = _parser().parse(fill(body, self.evidence))
        place = _Place(self, source, first_line, page)
        if deep := next((token for token in tokens if token.level > _DEEPEST), None):
            message = "nests deeper than the site can show; flatten it"
            self.problems.append(Problem(source, place.line_of(deep), message))
        for before, token in itertools.pairwise(tokens):
            if token.children and (before.type != "heading_open" or before.level):
                place.resolve(token)
        return Body(tokens)


@dataclass(frozen=True)
class _Place:
    """Where a body stands on disk and on the site."""

    prose: Prose
    source: Path
    first_line: int
    page: str

    def line_of(self, block: Token) -> int:
        """The line of the file that a block begins in."""
        return self.first_line + (block.map[0] if block.map else 0)

    def resolve(self, block: Token) -> None:
        """Resolve the citations, links and figures of one inline block for the page."""
        line = self.line_of(block)
        unlinked = False
        for child in block.children or []:
            if child.type == "code_inline" and child.content.startswith("case:"):
                self._cite(child)
            elif child.type == "link_open":
                unlinked = not self._link(child, line)
            elif child.type == "link_close" and unlinked:
                _become(child, "span_close", "span")
            elif child.type == "image":
                _show_as_text(child)
            elif child.type == "html_inline":
                self._html(child)

    def _cite(self, token: Token) -> None:
        name = token.content.removeprefix("case:")
        known = self.prose.catalog.by_name.get(name) or self.prose.catalog.by_alias.get(name)
        if known is None:  # `case:NAME` as an example of how to cite
            return
        token.type, token.content = "cite", known.name
        token.meta = {"href": relative(case_page(known.name), self.page)}

    def _link(self, token: Token, line: int) -> bool:
        """Whether the link leads somewhere on the site or beyond it."""
        href = str(token.attrGet("href") or "")
        target = self._target(href, line)
        token.meta["page"] = target != href
        token.attrSet("href", target)
        if not target:
            _become(token, "span_open", "span")
            token.attrs = {}
        return bool(target)

    def _target(self, href: str, line: int) -> str:
        """The target of a link on the site; "" for a file that no page shows."""
        if not href or href.startswith("#") or _SCHEME.match(href):
            return href
        path, mark, anchor = href.partition("#")
        file = (self.source.parent / path).resolve()
        if file.is_dir():
            file = next((f for f in (file / "SKILL.md", file / "README.md") if f.exists()), file)
        if file in self.prose.pages:
            return relative(self.prose.pages[file], self.page) + mark + anchor
        if not file.exists():
            message = f"links to {href}, which does not exist; fix the link"
            self.prose.problems.append(Problem(self.source, line, message))
        return ""

    def _html(self, token: Token) -> None:
        """Turn the mark of a figure into an element, drop a comment, show other HTML as text."""
        if mark := _FIGURE.fullmatch(token.content):
            case, path, column = mark.groups()
            try:
                figure_text(self.prose.evidence, case, path, column)
                token.meta = {"title": f"{path} of {case} on {column}"}
                if case_page(case) != self.page:
                    token.meta["href"] = relative(case_page(case), self.page)
            except KeyError:
                token.meta = {}
            _become(token, "figure_open", "span")
        elif token.content == "<!-- /figure -->":
            _become(token, "figure_close", "span")
        else:
            token.type = "text"
            token.content = "" if token.content.startswith("<!--") else token.content


def _become(token: Token, kind: str, tag: str) -> None:
    token.type, token.tag, token.content = kind, tag, ""
    token.nesting = 1 if kind.endswith("_open") else -1


def _show_as_text(image: Token) -> None:
    """Replace an image by the text that describes it: no page loads anything from elsewhere."""
    text = image.content or str(image.attrGet("src"))
    image.type, image.tag, image.children = "text", "", None
    image.content = f"[image: {text}]"
