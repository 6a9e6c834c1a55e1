"""The search: exact evidence first, then the terms of the lines that tell most."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from validators.match.index import Index
from validators.match.log_lines import LogLine, parse_lines, torch_release
from validators.match.rules import RULES
from validators.match.signature_filter import SignatureFilter
from validators.match.terms import terms_of

_BREAK = re.compile(RULES.graph_break, re.ASCII)
_NUMBER = re.compile(RULES.number)


@dataclass(frozen=True)
class Match:
    """A case, its score, and the lines that are exact evidence of it."""

    case: str
    score: int
    lines: tuple[LogLine, ...]


@dataclass(frozen=True)
class Found:
    """The cases that explain a log, best first, and the release of torch that it names, or "".

    `unexplained` are the ids of graph breaks in it, as "GB0170", that no case is about.
    """

    matches: tuple[Match, ...]
    torch: str
    unexplained: tuple[str, ...] = ()


@dataclass
class _Tally:
    """The evidence for one case: its best exact evidence, and its terms."""

    exact: int = 0
    terms: int = 0
    lines: dict[int, LogLine] = field(default_factory=dict)


def search(index: Index, lines: Iterable[tuple[int, str]], most: int = 5) -> Found:
    """The `most` cases of `index` that best explain the numbered `lines`."""
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    weights: dict[str, int] = {}
    signatures, breaks = SignatureFilter(index.signatures), set[str]()
    torch, telling = "", 0
    about, near = not index.subject, False
    for line in _distinct(parse_lines(lines)):
        torch = torch or torch_release(line.text)
        lowered = line.text.lower()
        about = about or any(phrase in lowered for phrase in index.subject)
        near = near or any(phrase in lowered for phrase in index.near_subject)
        for signature in signatures.pop_matching(line.text):
            near = True
            worth = RULES.exact + RULES.exact // len(signature.cases)
            _credit(tallies, signature.cases, line, worth)
        for name in set(_BREAK.findall(lowered)) - breaks:
            breaks.add(name)
            _credit(tallies, index.breaks.get(name, ()), line, RULES.exact)
        if telling < RULES.telling_lines and (weight := line.weight):
            telling += 1
            for term in terms_of(line.text):
                weights[term] = max(weights.get(term, 0), weight)
    if not about and not near:
        return Found((), torch)
    top = max(weights.values(), default=1)
    _add_terms(index, weights, tallies)
    scored = [
        Match(
            index.cases[number],
            it.exact * index.tenths[number] // 10 + it.terms // top,
            tuple(it.lines.values()),
        )
        for number, it in tallies.items()
    ]
    by_words = RULES.least if about else RULES.least_near
    kept = [it for it in scored if it.score >= (RULES.least if it.lines else by_words)]
    kept.sort(key=lambda it: (-it.score, it.case))
    unexplained = sorted(breaks.difference(index.breaks))[:most]
    return Found(tuple(kept[:most]), torch, tuple(name.upper() for name in unexplained))


def search_words(index: Index, text: str, most: int) -> list[str]:
    """The names of the `most` cases that have most to do with the words of `text`.

    Unlike a log, a query is short and about the subject, so that no score is too low.
    """
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    _add_terms(index, dict.fromkeys(terms_of(text), 1), tallies)
    ordered = sorted(tallies, key=lambda number: (-tallies[number].terms, index.cases[number]))
    return [index.cases[number] for number in ordered[:most]]


def _distinct(found: Iterable[LogLine]) -> Iterator[LogLine]:
    """The first of the lines that differ only in numbers, not in ids: logs repeat themselves."""
    seen: set[int] = set()
    for line in found:
        shape = hash(_NUMBER.sub("", line.text))
        if shape not in seen:
            if len(seen) < RULES.remembered:
                seen.add(shape)
            yield line


def _credit(tallies: dict[int, _Tally], cases: Iterable[int], line: LogLine, worth: int) -> None:
    for case in cases:
        tallies[case].exact = max(tallies[case].exact, worth)
        tallies[case].lines[line.number] = line


def _add_terms(index: Index, weights: dict[str, int], tallies: dict[int, _Tally]) -> None:
    """Add each term once, with the weight of the most telling line that holds it."""
    for term, weight in weights.items():
        postings = index.postings.get(term, ())
        case = 0
        for step, worth in zip(postings[::2], postings[1::2], strict=True):
            case += step
            tallies[case].terms += worth * weight
