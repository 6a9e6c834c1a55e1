"""What the compiler can say: an index, a list for each kind, and a page for each message.

Warnings have no pages of their own, only their list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docsite import links
from docsite.content import Content
from docsite.example import View, view_of
from docsite.page import HOME, MESSAGES, Crumb, Page
from docsite.prose import Prose
from docsite.prose_markdown import Body
from validators.environment.column_name import span
from validators.evidence.quantities import count
from validators.families import (
    Cause,
    Family,
    Illustration,
    Kind,
    Said,
    Vocabulary,
    page_of,
    telling_signatures,
)
from validators.published.standing import Standing

_TITLES: dict[Kind, str] = {
    "graph_break": "Graph breaks",
    "cudagraph_skip": "Why CUDA graphs are skipped",
    "guard": "Guards that fail",
    "exception": "Exceptions",
    "warning": "Warnings",
}
_ABOUT: dict[Kind, str] = {
    "graph_break": "Ids that Dynamo gives to places where it ends a graph.",
    "cudagraph_skip": "Reasons after `skipping cudagraphs due to`.",
    "guard": "What `TORCH_LOGS=recompiles` names when a function compiles again.",
    "exception": "Classes of Dynamo, Inductor, AOTAutograd, export, fake tensors and Triton.",
    "warning": "What Python's warnings and torch's loggers say.",
}
_HOLE = re.compile(r"\{[^{}]*\}+")
"""What a program fills in when it prints a message."""
_KINDS = ("limitation", "practice", "retraction")
_MOST = 6
"""So many causes are told at length; the others are listed."""


@dataclass(frozen=True)
class Listed:
    """A message in a list: where its page is ("" for none), and what is known of it."""

    family: Family
    title: str
    path: str
    releases: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class Known:
    """A cause of a message, with what tells it from the others, and its example.

    `text` is that of an illustration, which has no page of its own.
    """

    standing: Standing
    text: Body | None
    signatures: Sequence[str]
    lines: tuple[str, ...]
    example: View | None

    @property
    def illustrated(self) -> bool:
        """Whether the cause is known from an illustration."""
        return self.text is not None


@dataclass(frozen=True)
class Words:
    """What torch says on some releases, in words."""

    releases: str
    said: Said


def message_pages(content: Content, prose: Prose) -> Iterator[Page]:
    """All pages about messages; none if nothing is recorded of what the compiler can say."""
    found = content.vocabulary
    if not found.families:
        return
    kinds = {kind: listed for kind in _TITLES if (listed := _listed(content, kind))}
    summary = [
        (_TITLES[kind], links.message_list(kind), _ABOUT[kind], len(listed), _covered(listed))
        for kind, listed in kinds.items()
    ]
    model: dict[str, object] = {"kinds": summary, "releases": found.releases}
    about = "Every graph break id, reason, guard and exception, with the cases that cause it."
    yield Page(MESSAGES[1], "What the compiler says", "messages", model, (HOME,), about)
    for kind, listed in kinds.items():
        model = {"listed": listed, "about": _ABOUT[kind], "kind": kind, "covered": _covered(listed)}
        path, title, crumbs = links.message_list(kind), _TITLES[kind], (HOME, MESSAGES)
        yield Page(path, title, "message_list", model, crumbs, _ABOUT[kind])
    for name in content.addresses:
        yield _page(content, prose, found.by_name[name])


def _title(found: Vocabulary, family: Family) -> str:
    """The message without the names of what a program fills in; of a guard, what it means, too."""
    title = _HOLE.sub("…", family.title)
    meaning = found.guards.get(family.key, "") if family.kind == "guard" else ""
    return f"{meaning}: {title}" if meaning else title


def message_title(found: Vocabulary, family: Family) -> str:
    """What the page of a message is called: a key that people look for comes first."""
    title = _title(found, family)
    if family.kind == "graph_break":
        return f"{family.key}: {title}"
    if family.kind == "cudagraph_skip":
        return f"Skipping CUDA graphs: {title.removeprefix('reason=')}"
    return title


def _listed(content: Content, kind: Kind) -> list[Listed]:
    found = content.vocabulary
    return [
        Listed(
            it,
            _title(found, it),
            content.addresses.get((kind, it.key), ""),
            span(it.releases or it.listed, found.releases),
            found.causes_of(it),
        )
        for it in found.families
        if it.kind == kind
    ]


def _covered(listed: list[Listed]) -> int:
    return sum(bool(it.causes) for it in listed)


def _page(content: Content, prose: Prose, family: Family) -> Page:
    found, kind = content.vocabulary, family.kind
    causes, path = found.causes_of(family), content.addresses[kind, family.key]
    known = [_known(content, prose, family, it, path) for it in causes]
    model = {
        "family": family,
        "words": [Words(span((*it.on, *it.listed), found.releases), it) for it in family.said],
        "releases": span(family.releases, found.releases),
        "listed": span(family.listed, found.releases),
        "moved": [
            (other, content.addresses[kind, other], span(releases, found.releases))
            for other, releases in found.moved_from(family).items()
        ],
        "same": [(it, content.addresses[kind, it]) for it in family.same],
        "causes": _in_order(content, family, known),
        "most": _MOST,
        "torchs_page": page_of(family),
        "unreachable": found.unreachable.get(family.key, ""),
    }
    crumbs: tuple[Crumb, ...] = (HOME, MESSAGES, (_TITLES[kind], links.message_list(kind)))
    causing = f"{count(len(causes), 'known cause')}, each with its fix."
    about = causing if causes else "No case explains it yet."
    return Page(path, message_title(found, family), "message", model, crumbs, about)


def _known(content: Content, prose: Prose, family: Family, cause: Cause, path: str) -> Known:
    case = cause.case
    text = None
    if isinstance(case, Illustration):
        text = prose.read(case.text, case.page, case.body_line, path)
    standings = content.standings if text is None else content.illustrated
    return Known(
        standings[case.name],
        text,
        [] if text else telling_signatures(case, family),
        cause.lines,
        view_of(case, content.examples.get(case.name)),
    )


def _in_order(content: Content, family: Family, causes: Sequence[Known]) -> list[Known]:
    """Limitations first, those before others that more users met; patterns that one alone has."""
    times = Counter(pattern for it in causes for pattern in it.signatures)

    def place(it: Known) -> tuple[object, ...]:
        case = it.standing.case
        named = case.meta.graph_break.id if case.meta.graph_break else ""
        kind = _KINDS.index(case.meta.kind)
        return kind, it.illustrated, named != family.key, -content.met[case.name], case.name

    alone = (
        replace(it, signatures=[pattern for pattern in it.signatures if times[pattern] == 1])
        for it in causes
    )
    return sorted(alone, key=place)
