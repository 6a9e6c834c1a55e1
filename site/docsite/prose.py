"""Markdown that people wrote, as HTML.

It is rendered here, as CommonMark with tables (what GitHub shows), and handed to MkDocs as HTML
blocks between Markdown headings. Raw HTML is shown as text, so that no page can run a script;
comments are dropped, and the marks of figures are filled from evidence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from docsite.code import code_block
from docsite.links import case_page, relative
from validators.catalog import Catalog
from validators.errors import Problem
from validators.evidence import Evidence
from validators.evidence.figures import figure_text, fill

_FIGURE = re.compile(r"<!-- figure (\S+) (\S+) (\S+) -->")
_SPECIAL = re.compile(r"[^\w\s,;:/'\"?%=@^|$-]|_")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_DEEPEST = 18
"""How deep blocks may nest: two levels further the parser leaves out the rest, without a word."""


@dataclass
class Prose:
    """Renders bodies; `pages` says which file is shown at which site path.

    `problems` collects the links that lead nowhere.
    """

    catalog: Catalog
    evidence: Evidence
    root: Path
    pages: dict[Path, str]
    problems: list[Problem] = field(default_factory=list)

    def render(self, body: str, source: Path, first_line: int, page: str) -> str:
        """`body`, from line `first_line` of `source`, for the page at site path `page`.

        The first H1 is left out: the page has its title already.
        """
        tokens = _parser().parse(fill(body, self.evidence))
        place = _Place(self, source, first_line, page)
        if deep := next((token for token in tokens if token.level > _DEEPEST), None):
            message = "nests deeper than the site can show; flatten it"
            self.problems.append(Problem(source, place.line_of(deep), message))
        for before, token in itertools.pairwise(tokens):
            if token.children and before.type != "heading_open":
                place.rewrite(token)
        return "\n\n".join(_chunks(tokens))


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

    def rewrite(self, block: Token) -> None:
        """Turn citations, links and figures of one inline block into what the page needs."""
        line = self.line_of(block)
        unlinked = False
        for child in block.children or []:
            if child.type == "code_inline" and child.content.startswith("case:"):
                self._cite(child)
            elif child.type == "link_open":
                target = self._target(str(child.attrGet("href") or ""), line)
                child.attrSet("href", target)
                unlinked = not target
                if unlinked:
                    _replace(child, "<span>")
            elif child.type == "link_close" and unlinked:
                _replace(child, "</span>")
            elif child.type == "image":
                _show_as_text(child)
            elif child.type == "html_inline":
                child.content = self._html(child.content)

    def _cite(self, token: Token) -> None:
        name = token.content.removeprefix("case:")
        known = self.prose.catalog.by_name.get(name) or self.prose.catalog.by_alias.get(name)
        if known is None:  # `case:NAME` as an example of how to cite
            return
        link = Markup('<a class="cb-cite" href="{}" title="{}">{}</a>').format(
            relative(case_page(known.name), self.page), known.meta.claim.strip(), known.name
        )
        _replace(token, link)

    def _target(self, href: str, line: int) -> str:
        """Where a link leads on the site; "" for a file of the repository that is no page."""
        if not href or href.startswith("#") or _SCHEME.match(href):
            return href
        path, mark, anchor = href.partition("#")
        file = (self.source.parent / path).resolve()
        if file.is_dir():
            file = next((f for f in (file / "SKILL.md", file / "README.md") if f.exists()), file)
        if file in self.prose.pages:
            return relative(self.prose.pages[file], self.page) + mark + anchor
        if not file.exists():
            message = f"links to {href}, which is not there; mend the link"
            self.prose.problems.append(Problem(self.source, line, message))
        return ""

    def _html(self, content: str) -> str:
        if mark := _FIGURE.fullmatch(content):
            case, path, column = mark.groups()
            try:
                figure_text(self.prose.evidence, case, path, column)
            except KeyError:
                title = f"{case} has no {path} on {column}: this number is undecided"
                return Markup('<span class="cb-figure cb-unknown" title="{}">').format(title)
            title = f"{path} of {case} on {column}"
            return Markup('<span class="cb-figure" title="{}">').format(title)
        if content == "<!-- /figure -->":
            return "</span>"
        return "" if content.startswith("<!--") else str(escape(content))


def _replace(token: Token, html: str) -> None:
    token.type, token.tag, token.nesting, token.content = "html_inline", "", 0, html


def _show_as_text(image: Token) -> None:
    """No page loads anything from elsewhere: an image becomes the text that describes it."""
    text = image.content or str(image.attrGet("src"))
    image.type, image.tag, image.children = "text", "", None
    image.content = f"[image: {text}]"


@cache
def _parser() -> MarkdownIt:
    # Without HTML blocks a line that begins with a mark or a tag is still Markdown.
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("html_block")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


def _fence(_self: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    words = tokens[index].info.split()
    return str(code_block(tokens[index].content, words[0] if words else "text"))


def _table_open(*_: Any) -> str:
    return '<div class="cb-scroll" tabindex="0" role="group" aria-label="table"><table class="cb">'


def _chunks(tokens: list[Token]) -> Iterator[str]:
    """Top-level headings as Markdown, what is between them as HTML blocks."""
    start, titled = 0, False
    for index, token in enumerate(tokens):
        if token.type != "heading_open" or token.level:
            continue
        if index > start:
            yield _block(tokens[start:index])
        start = index + 3
        if token.tag == "h1" and not titled:
            titled = True
            continue
        level = max(2, int(token.tag[1]))  # a page has one H1, its title
        yield f"{'#' * level} {heading_text(tokens[index + 1].children or [])}"
    if start < len(tokens):
        yield _block(tokens[start:])


def _block(tokens: list[Token]) -> str:
    parser = _parser()
    html = parser.renderer.render(tokens, parser.options, {})
    return f'<div class="cb-prose">\n{html}</div>'


def heading_text(children: list[Token]) -> Markup:
    """The text of a heading as Markdown that means nothing but itself; code stays code."""
    shown = (child for child in children if not child.content.startswith("<!--"))
    return Markup("").join(
        Markup("<code>{}</code>").format(plain(child.content))
        if child.type == "code_inline"
        else plain(child.content)
        for child in shown
    )


def title_text(text: str) -> Markup:
    """A title as the text of a Markdown heading; backticks enclose code."""
    return heading_text(_parser().parseInline(text)[0].children or [])


def plain(text: str) -> Markup:
    """`text` as Markdown in which every special character stands for itself."""
    return Markup(_SPECIAL.sub(lambda match: f"&#{ord(match[0])};", text))
