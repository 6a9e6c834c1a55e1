"""Pages as Markdown: for the site with components in HTML, and for agents with components in words.

One template writes both. What Markdown cannot say is a macro in `templates/components`: `site.j2`
has it in HTML, `plain.j2` in words. What only one of them has, the other leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from docsite import links, markdown_text
from docsite.effect import here, short, unrun_on, with_counts
from docsite.page import Page
from validators.catalog import Case
from validators.catalog.page import CONTROL
from validators.evidence.columns import listed
from validators.evidence.words import STATES, effect_of
from validators.families import GRAPH_BREAK

_TEMPLATES = Path(__file__).parent / "templates"
_FENCED = re.compile(r"(^ *(`{3,})[^`\n]*\n.*?^ *\2$)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Writer:
    """Writes pages; `pages` are the site paths of all of them.

    `targets` collects where the links of the written pages lead, each with a page that has it.
    """

    pages: frozenset[str]
    targets: dict[str, str] = field(default_factory=dict)

    def source(self, page: Page) -> str:
        """The page as MkDocs reads it."""
        text = self._written(page, _html().get_template("site.j2"), _as_source)
        return f"---\n{json.dumps(_meta(page), ensure_ascii=False)}\n---\n\n{text}"

    def copy(self, page: Page) -> str:
        """The page as agents read it."""
        return self._written(page, _markdown().get_template("components/plain.j2"), links.copy_of)

    def _written(self, page: Page, components: Any, place: Callable[[str], str]) -> str:
        def relative(path: str) -> str:
            self.targets.setdefault(path, page.path)
            return links.relative(path, page.path)

        def to(path: str) -> Markup:
            is_page = path.partition("#")[0] in self.pages
            return markdown_text.target(place(relative(path)) if is_page else relative(path))

        def link(text: str, path: str) -> Markup:
            return Markup(f"[{markdown_text.inline(text)}]({to(path)})")

        def case_link(case: Case) -> Markup:
            return link(case.title, links.case_page(case.name))

        known = {"to": to, "link": link, "case_link": case_link}
        html = {"to": relative}
        context = {**(html if place is _as_source else known), "page": page}
        show = _left_out() | vars(components.make_module(context))
        template = _markdown().get_template("pages/base.j2")
        names = {**known, "page": page, "place": place, "show": show, **page.model}
        parts = _FENCED.split(escape_control(template.render(names)))
        parts[::3] = [re.sub(r"\n{3,}", "\n\n", part) for part in parts[::3]]
        del parts[2::3]
        return "".join(parts).strip() + "\n"


def render_file(template: str, **values: Any) -> str:
    """The text of a file that is no page."""
    return _html().get_template(template).render(**values).strip() + "\n"


def escape_control(text: str) -> str:
    """`text` with escapes in place of codes that drive a terminal or stand for no character."""
    return CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _as_source(href: str) -> str:
    path, mark, anchor = href.partition("#")
    return path.removesuffix(".html") + ".md" + mark + anchor


def _meta(page: Page) -> dict[str, Any]:
    """What MkDocs and the theme's templates read of a page; they escape nothing."""

    def plain(text: str) -> str:
        return str(escape(escape_control(" ".join(text.split()).replace("`", ""))))

    meta = {
        "title": plain(page.title),
        "description": plain(page.description),
        "source": page.source,
        "hide": page.hide,
        "tab": page.crumbs[1][0] if len(page.crumbs) > 1 else "",
        "copy": True,
    }
    return {name: value for name, value in meta.items() if value}


@cache
def _left_out() -> dict[str, Callable[..., str]]:
    """Nothing, in place of each component that HTML or words have."""
    both = _html().get_template("site.j2"), _markdown().get_template("components/plain.j2")
    return dict.fromkeys((name for it in both for name in vars(it.module)), lambda *_, **__: "")


@cache
def _markdown() -> Environment:
    """Writes Markdown: a value that is no markup is text, and is escaped."""
    environment = _environment("", finalize=markdown_text.escape)
    environment.filters |= {
        "code": markdown_text.fenced,
        "inline": markdown_text.inline,
        "inline_code": markdown_text.code,
        "target": markdown_text.target,
        "linkify": markdown_text.linkify,
    }
    environment.globals |= {"row": markdown_text.row, "table_head": markdown_text.table_head}
    return environment


@cache
def _html() -> Environment:
    """Writes HTML."""
    environment = _environment("components", finalize=links.html_text)
    environment.filters |= {
        "code": markdown_text.fenced,
        "inline": links.inline_html,
    }
    return environment


def _environment(folder: str, **options: Any) -> Environment:
    environment = Environment(
        loader=FileSystemLoader([_TEMPLATES / folder, _TEMPLATES / "files"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
    environment.filters |= {
        "listed": listed,
        "here": here,
        "with_counts": with_counts,
        "short": short,
        "unrun_on": unrun_on,
        "words": lambda text: text.replace("_", " "),
        "capital": lambda text: text[:1].upper() + text[1:],
    }
    environment.globals |= {
        "STATES": STATES,
        "GRAPH_BREAK": GRAPH_BREAK,
        "effect_of": effect_of,
        "case_page": links.case_page,
        "fix_page": links.fix_page,
        "area_page": links.area_page,
        "model_page": links.model_page,
        "silent_error": links.silent_error,
        "silent_page": links.silent_page,
        "prose_page": links.prose_page,
    }
    return environment
