"""Pages as HTML, through templates that escape whatever they are given."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from docsite import links
from docsite.effect import effect_of, here, short, unrun_on
from docsite.frame import Frame
from docsite.headings import heading, with_unique_ids
from docsite.highlight import code_block, inline_code
from docsite.page import Page
from docsite.status import STATES
from validators.catalog.page import CONTROL
from validators.evidence.columns import listed
from validators.match import REGISTRY

TEMPLATES = Path(__file__).parent / "templates"
"""A folder for the pages of the site, and one for their Markdown."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES / "site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "code": code_block,
        "inline": inline_code,
        "linkify": links.linkify,
        "listed": listed,
        "h2": heading,
        "here": here,
        "short": short,
        "unrun_on": unrun_on,
        "plain": attribute_text,
        "words": lambda text: text.replace("_", " "),
        "capital": lambda text: text[:1].upper() + text[1:],
    }
    environment.globals |= shared_globals()
    return environment


def shared_globals() -> dict[str, Any]:
    """The names that templates of pages and of their Markdown share."""
    return {
        "STATES": STATES,
        "effect_of": effect_of,
        "REGISTRY": REGISTRY,
        "case_page": links.case_page,
        "fix_page": links.fix_page,
        "area_page": links.area_page,
        "break_page": links.break_page,
        "model_page": links.model_page,
        "prose_page": links.prose_page,
    }


def render_page(page: Page) -> str:
    """What `page` says, as HTML: all between its crumbs and its neighbours."""
    return escape_control(
        _fill(
            f"{page.template}.j2",
            page=page,
            to=lambda path: links.relative(path, page.path),
            **page.model,
        )
    )


def render_document(page: Page, frame: Frame) -> str:
    """The whole document of `page`."""
    main, headings = with_unique_ids(render_page(page))
    return _fill(
        "shell.j2",
        page=page,
        frame=frame,
        main=Markup(main),
        headings=headings,
        to=lambda path: links.relative(path, page.path),
    )


def render_missing(frame: Frame) -> str:
    """The document that a server shows for an address without a page."""
    page = Page("404.html", "There is no such page", "missing", {})
    main = _fill("missing.j2", page=page, to=lambda path: frame.base + path)
    return _fill(
        "shell.j2",
        page=page,
        frame=frame,
        main=Markup(main),
        headings=[],
        to=lambda path: frame.base + path,
    )


def render_file(template: str, **values: Any) -> str:
    """The text of a file that is no page."""
    return _fill(template, **values)


def _fill(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values).strip() + "\n"


def escape_control(text: str) -> str:
    """`text` with escapes in place of codes that drive a terminal or stand for no character."""
    return CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def attribute_text(text: str) -> str:
    """`text` in one line and without backticks, for attributes and titles of documents."""
    return " ".join(text.split()).replace("`", "")
