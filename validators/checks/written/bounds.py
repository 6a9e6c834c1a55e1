"""Releases that a page's texts name as bounds: no verdict contradicts them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from operator import ge, gt, le, lt

from validators.catalog import Case
from validators.catalog.page import line_of, split_page
from validators.errors import Problem
from validators.evidence.columns import column
from validators.evidence.ranges import ranges
from validators.evidence.status import State, device_of
from validators.repository import Repository

Release = tuple[int, ...]
Range = Callable[[Release], bool]
_CODE = re.compile(r"`[^`]*`")
_V = r"\d+\.\d+(?:\.\d+)?(?![.\d]*\d)"
_ITEM = rf"(?:from )?{_V}(?: to {_V}| on\b|\+)?"
_ONE = re.compile(rf"(from )?({_V})(?: to ({_V})|( on\b|\+))?")
_ELSEWHERE = r"(?<!GPU )"
"""A bound that follows "on a GPU" is not about the CPU."""
_OPEN = re.compile(
    rf"{_ELSEWHERE}\b(up to|until|before|after|from|since) torch ({_V})", re.IGNORECASE
)
_LATER = re.compile(
    rf"{_ELSEWHERE}\b(?:on |in |\()?torch ({_V}) (?:and|or) (?:later|newer)", re.IGNORECASE
)
_LIST = re.compile(
    rf"{_ELSEWHERE}(?:\b(?:on|of|in) |\()torch ({_ITEM}(?:, {_ITEM})*(?:,? and {_ITEM})?)"
    r"(?! (?:and|or) (?:later|newer))",
    re.IGNORECASE,
)
_UPGRADE = re.compile(rf"\bupgrade (?:torch )?to (?:torch )?({_V})", re.IGNORECASE)
_COMPARED = {
    "up to": le,
    "until": le,
    "before": lt,
    "after": gt,
    "from": ge,
    "since": ge,
}
_CONFIRMED: tuple[State, ...] = ("confirmed",)
_REFUTED: tuple[State, ...] = ("refuted", "unexplained")


def check_bounds(repository: Repository) -> Iterator[Problem]:
    """Titles, summaries, claims and fixes that name other releases than the evidence."""
    for case in repository.catalog.cases:
        states = {} if case.retired else repository.states_of(case)
        for field, wrong in _wrong(case, states):
            known = ranges(case, states, repository.catalog.casebook.releases)
            message = f"`{field}` names other releases than the evidence: {', '.join(wrong)}"
            line = case.title_line if field == "title" else line_of(split_page(case.page)[0], field)
            yield Problem(case.page, line, f"{message}; correct it ({known})")


def _wrong(case: Case, states: Mapping[str, State]) -> Iterator[tuple[str, list[str]]]:
    """The texts with the verdicts that they contradict."""
    for field, text in (
        ("title", case.title),
        ("summary", case.meta.summary),
        ("claim", case.meta.claim),
    ):
        stated = [*stated_ranges(text)]
        if stated and (wrong := _contradicting(states, stated)):
            yield field, wrong
    for release in _UPGRADE.findall(" ".join(case.meta.fix.split())):
        helps = _compared(ge, release)
        if wrong := [it for it in _ran(states) if helps(_release(column(it).torch))]:
            yield "fix", [f"confirmed on {it}" for it in wrong]


def stated_ranges(text: str) -> Iterator[Range]:
    """The ranges of releases that a text names; together they are what it is about.

    For example "Before torch 2.13", "On torch 2.9 and from 2.12 on", "(torch 2.5 to 2.8)".
    """
    bare = _CODE.sub("``", " ".join(text.split()))
    for word, bound in _OPEN.findall(bare):
        yield _compared(_COMPARED[word.lower()], bound)
    for bound in _LATER.findall(bare):
        yield _compared(ge, bound)
    for several in _LIST.findall(bare):
        for start, first, last, on in _ONE.findall(several):
            if last:
                yield _between(first, last)
            else:
                yield _compared(ge, first) if start or on else _between(first, first)


def _contradicting(states: Mapping[str, State], stated: list[Range]) -> list[str]:
    """The verdicts that the ranges contradict, on the CPU if it decides any, else on a GPU."""
    for device in ("cpu", "cuda"):
        known = {it: state for it, state in states.items() if column(it).device == device}
        decided = {it: s for it, s in known.items() if s in _CONFIRMED or s in _REFUTED}
        if decided:
            return [
                f"{state} on {it}"
                for it, state in decided.items()
                if (state in _CONFIRMED) != any(one(_release(column(it).torch)) for one in stated)
            ]
    return []


def _ran(states: Mapping[str, State]) -> list[str]:
    """The columns that confirm the claim by running it."""
    return [it for it, s in states.items() if s == "confirmed" and device_of(it) != "compiled"]


def _compared(compare: Callable[[Release, Release], bool], text: str) -> Range:
    bound = _release(text)
    # Compared as far as the text goes: 2.9.1 is "on torch 2.9".
    return lambda release: compare(release[: len(bound)], bound)


def _between(first: str, last: str) -> Range:
    lower, upper = _compared(ge, first), _compared(le, last)
    return lambda release: lower(release) and upper(release)


def _release(text: str) -> Release:
    return tuple(map(int, re.findall(r"\d+", text)[:3]))
