"""Addresses on the site, and references to other sites."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

from markupsafe import Markup, escape

from docsite.page import BREAKS
from validators.catalog import Case
from validators.families import Family, Kind, Name

_PAGELESS: Kind = "warning"
"""Messages of this kind have no pages of their own, only their list."""
ISSUE = re.compile(r"\b([\w.-]+/[\w.-]+)#(\d+)\b")
_URL = re.compile(r"https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]]")
REFERENCE = re.compile(f"{_URL.pattern}|{ISSUE.pattern}")


def relative(target: str, page: str) -> str:
    """The link to the site path `target` from the page at site path `page`.

    It always names a file, because a browser lists a folder that is opened from disk.
    """
    path, mark, anchor = target.partition("#")
    parts, folders = path.split("/"), page.split("/")[:-1]
    pairs = zip(parts[:-1], folders, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return "/".join([".."] * (len(folders) - shared) + parts[shared:]) + mark + anchor


def case_page(name: str) -> str:
    """The site path of a case; its address is `/catalog/NAME/`."""
    return f"catalog/{name}/index.html"


def fix_page(name: str) -> str:
    """The site path of a case's fix as Markdown: the least that an agent needs."""
    return f"catalog/{name}/fix.md"


def case_file(case: Case) -> str:
    """The site path of a case's program, as text that browsers show."""
    return f"catalog/{case.name}/{case.proof.name}.txt"


def area_page(area: str) -> str:
    """The site path of an area."""
    return f"areas/{area}/index.html"


def break_page(break_id: str) -> str:
    """The site path of a graph break id."""
    return f"gb/{break_id}/index.html"


def silent_page(cause: str) -> str:
    """The site path of the silent errors of a root cause."""
    return f"silent/{cause.replace(' ', '-')}/index.html"


def silent_error(cause: str, name: str) -> str:
    """The place of a silent error on the page of its root cause."""
    return f"{silent_page(cause)}#{name}"


def model_page(name: str) -> str:
    """The site path of a real model."""
    return f"models/{name}/index.html"


def message_list(kind: Kind) -> str:
    """The site path of the list of a kind of messages."""
    return BREAKS[1] if kind == "graph_break" else f"messages/{_folder(kind)}/index.html"


def message_page(kind: Kind, key: str) -> str:
    """The site path of a message, unless another has the same but for case."""
    if kind == "graph_break":
        return break_page(key)
    return f"messages/{_folder(kind)}/{key}/index.html"


def message_pages(families: Iterable[Family]) -> dict[Name, str]:
    """The site path of each message that has a page.

    On a file system that ignores case two spellings are one file, so the second gets a mark.
    """
    taken: set[str] = set()
    found: dict[Name, str] = {}
    for it in families:
        if it.kind == _PAGELESS:
            continue
        key = it.key
        while (path := message_page(it.kind, key)).casefold() in taken:
            key += "_"
        taken.add(path.casefold())
        found[it.kind, it.key] = path
    return found


def _folder(kind: Kind) -> str:
    return kind.replace("_", "-") + "s"


def prose_page(kind: str, name: str) -> str:
    """The site path of a log entry, guide, skill or reference."""
    return f"{kind}/{name}/index.html"


def copy_of(path: str) -> str:
    """The copy for agents of a page, which has no anchors; llmstxt.org asks for the file's name."""
    return path.partition("#")[0] + ".md"


def url_of(reference: re.Match[str]) -> str:
    """The URL of a match of `REFERENCE`."""
    issue = f"https://github.com/{reference[1]}/issues/{reference[2]}"
    return issue if reference[1] else reference[0]


def html_text(value: object) -> Markup:
    """A value as HTML in Markdown: its backticks and tildes fence no code."""
    if hasattr(value, "__html__"):
        return Markup(value)
    return Markup(str(escape(value)).replace("`", "&#96;").replace("~", "&#126;"))


def inline_html(text: str) -> Markup:
    """Plain text as HTML; only backticks have a meaning: they enclose code."""
    html = [
        Markup("<code>{}</code>" if at % 2 else "{}").format(html_text(part))
        for at, part in enumerate(by_backticks(text))
    ]
    return Markup("").join(html)


def by_backticks(text: str) -> list[str]:
    """Plain text and code in turn; a backtick without a partner is only a backtick."""
    parts = text.split("`")
    return parts if len(parts) % 2 else [text]
