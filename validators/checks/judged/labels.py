"""Checks of the labels against each other and against what there is to find."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from validators.catalog import Catalog
from validators.checks.judged.judged_queries import QUERIES
from validators.checks.judged.judged_set import JudgedSet
from validators.checks.judged.judged_text import UNRELATED, Lines, Text
from validators.errors import Problem
from validators.match.making.building import OtherPage

_ENOUGH = 20
"""Of so many logs, a hash puts about a third aside."""
_ASIDE = 0.2, 0.5


def check_labels(
    judged: JudgedSet,
    catalog: Catalog,
    others: Iterable[OtherPage],
    families: Iterable[tuple[str, str]],
) -> Iterator[Problem]:
    """Find labels that name nothing, texts that count twice, and parts of a wrong size."""
    cases, known = set(catalog.by_name), set(families)
    pages = cases.union(f"{page.kind}:{page.name}" for page in others)
    pages |= {f"{kind}:{key}" for kind, key in known}
    yield from _unknown(judged.logs, set(catalog.by_any_name))
    yield from _unknown((*judged.fresh_logs, *judged.incidents), cases)
    yield from _unknown((*judged.queries, *judged.sentences), pages)
    yield from _unknown_families((*judged.fresh_logs, *judged.incidents), known)
    yield from _without_pages(judged.queries)
    yield from _same_threads((*judged.logs, *judged.fresh_logs))
    yield from _known_sentences(judged)
    yield from _areas(judged.logs, catalog.casebook.areas)
    yield from _shares(judged.logs)
    yield from _parts(judged.queries)


def _unknown(texts: Iterable[Text], pages: set[str]) -> Iterator[Problem]:
    for text in texts:
        for name in sorted(text.pages - pages):
            yield text.problem(f"no page is called {name}; correct the answer that is expected")


def _unknown_families(texts: Iterable[Text], families: set[tuple[str, str]]) -> Iterator[Problem]:
    for text in texts:
        for kind, key in sorted(text.families - families):
            yield text.problem(f"{kind} {key} is not a family; correct `families`")


def _without_pages(queries: Iterable[Text]) -> Iterator[Problem]:
    for query in queries:
        if bool(query.pages) is (query.kind == UNRELATED):
            message = f"only a query of the kind `{UNRELATED}` has no pages; correct one of both"
            yield query.problem(message)


def _same_threads(logs: Iterable[Text]) -> Iterator[Problem]:
    """Find logs of one thread, which would be judged as if they were independent."""
    seen: dict[str, Text] = {}
    for log in logs:
        first = seen.setdefault(log.name.lower(), log)
        if first is not log:
            place = f"{first.path.name}:{first.line}"
            yield log.problem(f"{place} is of the same thread; keep one of them")


def _known_sentences(judged: JudgedSet) -> Iterator[Problem]:
    known = {query.text.lower() for query in judged.queries}
    for sentence in judged.sentences:
        if sentence.text.lower() in known:
            yield sentence.problem("is a judged query, too, so it is not fresh; remove it")


def _areas(logs: Sequence[Text], areas: Iterable[str]) -> Iterator[Problem]:
    kinds = {log.kind for log in logs}
    for area in areas if logs else ():
        if area not in kinds:
            yield Problem(logs[0].path, 0, f"has no log of the area {area}; add one")


def _shares(logs: Sequence[Text]) -> Iterator[Problem]:
    sorts = {"unrelated": UNRELATED.__eq__, "related": UNRELATED.__ne__}
    for sort, belongs in sorts.items():
        parts = Counter(log.part for log in logs if belongs(log.kind))
        share = parts["aside"] / max(parts.total(), 1)
        if parts.total() >= _ENOUGH and not _ASIDE[0] < share < _ASIDE[1]:
            message = f"{share:.0%} of the {sort} logs are put aside, not about a third"
            yield Problem(logs[0].path, 0, f"{message}; add logs of other threads")


def _parts(queries: Iterable[Text]) -> Iterator[Problem]:
    """Find kinds of queries that have only one part."""
    parts: dict[tuple[Path, str], set[str]] = defaultdict(set)
    for query in queries:
        if query.path.name == QUERIES:
            parts[query.path, query.kind].add(query.part)
    for (path, kind), names in parts.items():
        if len(names) == 1:
            message = f"all queries of the kind `{kind}` are of the part {min(names)}; add others"
            yield Problem(path, Lines(path).at(kind), message)
