"""Build the index of a catalog: which patterns and terms lead to which case."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator

from validators.catalog import Case, Catalog
from validators.catalog.patterns import tokens_of
from validators.match.index import Index, Signature
from validators.match.rules import RULES
from validators.match.term_statistics import TermStatistics, load_term_statistics
from validators.match.terms import terms_of

_SATURATION, _LENGTH = 3.0, 0.75
"""BM25's k1 and b (Robertson and Zaragoza, 2009)."""
_SCALE = 2
"""Weights are whole numbers, so that every implementation gets the same sums."""
_NO_LONGER = r"(?! \()"
"""Follows a break's type: a text that goes on with a bracket is another type."""
_FIELDS = {
    "name": 3.0,
    "title": 3.0,
    "summary": 2.0,
    "fix": 0.5,
    "claim": 2.0,
    "believed": 2.0,
    "signatures": 3.0,
    "asked": 1.5,
    "Symptom": 2.0,
    "Why": 1.0,
    "Remedy": 0.5,
    "How to tell": 1.0,
    "proof": 0.5,
}
"""The weight of a term in each part of a case."""
_ESCAPED = re.compile(r"\\[^\w]")
_KINDS = {"limitation": 10, "retraction": 8, "practice": 3}
"""Tenths by kind: a log shows a limitation more often than a belief about one or a practice."""


def build_index(catalog: Catalog) -> Index:
    """The index of the cases that are still run.

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
    return Index(
        rules=RULES,
        subject=[phrase.lower() for phrase in catalog.casebook.subject],
        near_subject=[phrase.lower() for phrase in catalog.casebook.near_subject],
        cases=[case.name for case in kept],
        tenths=[_KINDS[case.meta.kind] for case in kept],
        signatures=[Signature(p, literal_of(p), numbers) for p, numbers in patterns.items()],
        breaks=dict(breaks),
        postings=_postings([_counts(case) for case in kept], statistics),
    )


def signatures_of(case: Case) -> list[str]:
    """The patterns of the lines that point to `case`: its signatures, and the type of its break."""
    if not case.meta.graph_break:
        return case.meta.signatures
    kind = re.sub(r"([.*+?^${}()|[\]\\])", r"\\\1", case.meta.graph_break.type)
    return [*case.meta.signatures, kind + _NO_LONGER]


def _counts(case: Case) -> dict[str, float]:
    """How often each term occurs in the case, weighted by the parts that it occurs in."""
    counts: dict[str, float] = defaultdict(float)
    for field, text in _texts(case):
        for term in terms_of(text):
            counts[term] += _FIELDS[field]
    return counts


def _texts(case: Case) -> Iterator[tuple[str, str]]:
    yield "name", " ".join((case.name, *case.meta.aliases))
    yield "title", case.title
    yield "summary", case.meta.summary
    yield "fix", case.fix
    yield "claim", case.meta.claim
    yield "believed", case.meta.believed
    yield "signatures", re.sub(r"\\.|[.*+?]", " ", " ".join(signatures_of(case)))
    yield "asked", " ".join(case.meta.asked)
    for heading, text in case.sections.items():
        if heading in _FIELDS:
            yield heading, re.sub(r"<!--.*?-->|https?://\S+", " ", text)
    yield "proof", _names(case.proof.read_text(encoding="utf-8", errors="replace"))


def _names(source: str) -> str:
    """The dotted names in a proof."""
    return " ".join(re.findall(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", source))


def _postings(
    documents: list[dict[str, float]], statistics: TermStatistics
) -> dict[str, list[int]]:
    """The terms' cases and weights (BM25), with the logs' frequencies added to the pages' own."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, counts in enumerate(documents):
        for term in counts:
            holders[term].append(number)
    lengths = [sum(counts.values()) for counts in documents]
    mean = sum(lengths) / max(len(lengths), 1)
    everything = len(documents) + statistics.logs
    postings: dict[str, list[int]] = {}
    for term, numbers in sorted(holders.items()):
        frequency = len(numbers) + statistics.frequencies.get(term, 0)
        rarity = math.log(1 + (everything - frequency + 0.5) / (frequency + 0.5))
        found: list[int] = []
        last = 0
        for number in numbers:
            count, length = documents[number][term], lengths[number]
            norm = _SATURATION * (1 - _LENGTH + _LENGTH * length / mean)
            weight = round(_SCALE * rarity * count * (_SATURATION + 1) / (count + norm))
            if weight > 0:
                found += [number - last, weight]
                last = number
        if found:
            postings[term] = found
    return postings


def literal_of(pattern: str) -> str:
    """The longest text that every line matching `pattern` holds; "" if none is certain."""
    literals, current, depth = [], "", 0
    tokens = tokens_of(pattern)
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        plain = token[1] if _ESCAPED.fullmatch(token) else token
        depth += token.startswith("(")
        if token == "|" and not depth:
            return ""
        special = depth > 0 or len(plain) > 1 or (plain == token and token in ".^$*+?{}()[]")
        depth -= token == ")"
        if special or following[:1] in ("*", "?", "{"):
            literals.append(current)
            current = ""
        else:
            current += plain
    return max([*literals, current], key=len)
