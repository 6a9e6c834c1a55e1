"""Build the index of a catalog: which patterns and terms lead to which case."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from validators.catalog import Case, Catalog
from validators.families.family import Family
from validators.families.patterns import signatures_of, type_pattern
from validators.match.index import Index, IndexedPage, Signature
from validators.match.language.packing import packed
from validators.match.language.rules import RULES
from validators.match.language.terms import terms_of
from validators.match.making.headers import Families
from validators.match.making.places import place_of_literal
from validators.match.making.term_statistics import load_term_statistics
from validators.match.words import shown_terms

_COMMON = 16
"""A term that so many of the judged logs hold is common."""
_MANY = 100
"""A term that so many pages hold tells little of one."""
_CODE = re.compile(r"`([^`\n]+)`")
_KINDS = {"limitation": 10, "retraction": 8, "practice": 3}
"""Tenths by kind: a log shows a limitation more often than a belief about one or a practice."""


@dataclass(frozen=True)
class OtherPage:
    """A page that is no case, such as a guide or an area; `kind` says which.

    Lists show its `title`, `summary` and `fix`. It is also found by its `text`, and by each of
    `aliases`, names and phrases that mean this page. `steps` are how to tell the causes of what it
    is about, `docs` is PyTorch's own page about it.
    """

    name: str
    kind: str
    title: str
    summary: str = ""
    text: str = ""
    aliases: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    docs: str = ""
    fix: str = ""


def build_index(
    catalog: Catalog, others: Sequence[OtherPage] = (), families: Iterable[Family] = ()
) -> Index:
    """The index of the cases that are still run, of the `families`, and of the `others`.

    The `others` answer only queries.

    Raises:
        CasebookError: the term statistics beside the catalog cannot be read.
    """
    statistics = load_term_statistics(catalog.root.parent)
    kept = [case for case in catalog.cases if not case.retired]
    patterns: dict[str, list[int]] = defaultdict(list)
    breaks: dict[str, list[int]] = defaultdict(list)
    for number, case in enumerate(kept):
        for pattern in signatures_of(case):
            patterns[pattern].append(number)
        if case.meta.graph_break:
            breaks[case.meta.graph_break.id.lower()].append(number)
    known = Families(catalog.root.parent, kept, families)
    pages = [*map(_case, kept), *map(_other, others)]
    hidden = [*map(_unseen, kept), *(it.text for it in others)]
    types = {type_pattern(it.meta.graph_break.type) for it in kept if it.meta.graph_break}

    @cache
    def headers() -> set[str]:
        return known.headers | (types if known.indexed else set())

    signatures = [
        Signature(p, place_of_literal(p), numbers, headers) for p, numbers in patterns.items()
    ]
    terms, holders = packed(_holders(pages, signatures, hidden))
    common = {it: n for it, n in statistics.frequencies.items() if n >= _COMMON}
    return Index(
        rules=RULES,
        subject=[phrase.lower() for phrase in catalog.casebook.subject],
        near_subject=[phrase.lower() for phrase in catalog.casebook.near_subject],
        pages=pages,
        signatures=signatures,
        breaks=dict(breaks),
        families=known.indexed,
        code=[(number, it.meta.code) for number, it in enumerate(kept) if it.meta.code],
        terms=terms,
        holders=holders,
        logs=statistics.logs,
        common=common,
    )


def _case(case: Case) -> IndexedPage:
    return IndexedPage(
        name=case.name,
        title=case.title,
        summary=case.summary,
        fix=case.fix,
        aliases=tuple(case.meta.aliases),
        tenths=_KINDS[case.meta.kind],
    )


def _other(page: OtherPage) -> IndexedPage:
    return IndexedPage(
        name=page.name,
        kind=page.kind,
        title=page.title,
        summary=page.summary,
        fix=page.fix,
        aliases=page.aliases,
        steps=page.steps,
        docs=page.docs,
    )


def _unseen(case: Case) -> str:
    """What a case is found by and lists do not show: users' words, a belief, a symptom's names."""
    code = _CODE.findall(case.sections.get("Symptom", ""))
    return " ".join([*case.meta.asked, case.meta.believed, *case.meta.alike.values(), *code])


def _holders(
    pages: Sequence[IndexedPage], signatures: Sequence[Signature], texts: Sequence[str]
) -> dict[str, list[int]]:
    """The terms of the `texts`, one of each page, and the numbers of the pages with each.

    A page does not count if its other parts have the term. Terms of many pages are left out: they
    tell little of one.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    for number, shown in enumerate(shown_terms(pages, signatures)):
        for term in {*terms_of(texts[number])} - shown.keys():
            holders[term].append(number)
    return {term: those for term, those in holders.items() if len(those) <= _MANY}
