"""Each page as Markdown for agents: another template over the model that its HTML shows.

The Markdown leaves out what its readers cannot use: navigation, filters, drawings (their numbers
stay), and excerpts of a program that it shows as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from docsite import links, markdown_text
from docsite.effect import here
from docsite.matrix import Details
from docsite.page import Page
from docsite.render import TEMPLATES, escape_control, shared_globals
from validators.evidence.columns import listed

_FENCED = re.compile(r"(^ *(`{3,})[^`\n]*\n.*?^ *\2$)", re.MULTILINE | re.DOTALL)


def markdown_path(path: str) -> str:
    """The site path of the Markdown of the page at site path `path`.

    llmstxt.org asks for the page's file name with `.md`, and for `index.html.md` if it has none.
    Every page here is called `index.html`, so both are the same.
    """
    return f"{path}.md"


def page_markdown(page: Page, pages: Container[str]) -> str:
    """The Markdown of `page`; links to `pages` lead to their Markdown."""

    def to(path: str) -> Markup:
        place = path.partition("#")[0]
        found = markdown_path(place) if place in pages else path
        return markdown_text.target(links.relative(found, page.path))

    template = _environment().get_template(f"{page.template}.j2")
    text = escape_control(template.render(page=page, to=to, **page.model))
    parts = _FENCED.split(text)
    parts[::3] = [re.sub(r"\n{3,}", "\n\n", part) for part in parts[::3]]
    del parts[2::3]
    return "".join(parts).strip() + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "markdown"),
        autoescape=True,
        finalize=markdown_text.escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "code": lambda source, language="python": markdown_text.fenced(source, language),
        "inline": markdown_text.inline,
        "inline_code": markdown_text.code,
        "target": markdown_text.target,
        "linkify": markdown_text.linkify,
        "listed": listed,
        "here": here,
        "words": lambda text: text.replace("_", " "),
        "capital": lambda text: text[:1].upper() + text[1:],
    }
    environment.globals |= shared_globals() | {
        "row": markdown_text.row,
        "table_head": markdown_text.table_head,
        "aspects": _aspects,
    }
    return environment


def _aspects(details: Details, index: int) -> list[Any]:
    """What each of `details` says of the column at `index`."""
    return [[text for text, cells in said for _ in cells][index] for _, said in details]
