"""Pages as Markdown text, through templates that escape whatever they are given."""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from docsite import links
from docsite.highlight import code_block, inline_code
from docsite.page import Page
from docsite.prose_html import title_text
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
        "heading": title_text,
        "words": lambda text: text.replace("_", " "),
        "capital": lambda text: text[:1].upper() + text[1:],
    }
    environment.globals |= shared_globals()
    return environment


def shared_globals() -> dict[str, Any]:
    """The names that templates of pages and of their Markdown share."""
    return {
        "STATES": STATES,
        "REGISTRY": REGISTRY,
        "case_page": links.case_page,
        "area_page": links.area_page,
        "break_page": links.break_page,
        "model_page": links.model_page,
        "prose_page": links.prose_page,
    }


def render_page(page: Page) -> str:
    """The Markdown file of `page`, front matter included."""
    text = _fill(
        f"{page.template}.j2",
        page=page,
        to=lambda path: links.relative(path, page.path),
        **page.model,
    )
    return _front_matter(page) + _inert(text)


def render_file(template: str, **values: Any) -> str:
    """The text of a file that MkDocs copies unchanged."""
    return _fill(template, **values)


def _fill(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values).strip() + "\n"


def escape_control(text: str) -> str:
    """`text` with escapes in place of codes that drive a terminal or stand for no character."""
    return CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def attribute_text(text: str) -> str:
    """`text` in one line for the theme, which prints it as HTML without escaping it."""
    return html.escape(" ".join(text.split()).replace("`", ""))


def _front_matter(page: Page) -> str:
    # JSON strings are YAML.
    fields: dict[str, Any] = {"title": attribute_text(page.title)}
    if page.description:
        fields["description"] = attribute_text(page.description)
    if page.tags:
        fields["tags"] = list(page.tags)
    if hidden := [*["navigation"] * (not page.sidebar), *["toc"] * page.wide]:
        fields["hide"] = hidden
    lines = [f"{key}: {json.dumps(value)}" for key, value in fields.items()]
    return _inert("\n".join(["---", *lines, "---", "", ""]))


def _inert(text: str) -> str:
    """`text` without codes that Markdown, a template processor or a terminal would act on.

    All code is HTML by now, so no line needs to begin with a fence.
    """
    text = escape_control(text)
    text = re.sub(r"^([ >]*)([`~])", lambda m: f"{m[1]}&#{ord(m[2])};", text, flags=re.MULTILINE)
    return re.sub(r"\{(?=[{%#])", "&#123;", text)
