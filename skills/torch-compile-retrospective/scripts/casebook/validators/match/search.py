"""The search: a query is answered by its names and words, a log by what its lines say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from validators.match.index import Index
from validators.match.log_lines import LogLine, parse_lines, torch_release
from validators.match.queries import is_query, search_query
from validators.match.rules import RULES
from validators.match.signature_filter import SignatureFilter
from validators.match.tally import Found, Tallies, ids, ranked
from validators.match.terms import terms_of
from validators.match.words import words_of

_BREAK = re.compile(RULES.graph_break, re.ASCII)
_NUMBER = re.compile(RULES.number)


def search(index: Index, lines: Iterable[tuple[int, str]], most: int = 5) -> Found:
    """The `most` pages of `index` that answer the numbered `lines` of a query or a log best."""
    rest = iter(lines)
    begun = list(_beginning(rest))
    if is_query(begun):
        return search_query(index, begun, most)
    return search_log(index, chain(begun, rest), most)


def _beginning(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """So many lines that they are too long for a query, if there are so many."""
    length = 0
    for line in lines:
        yield line
        length += 1 + len(line[1])
        if length > RULES.query_length:
            return


def search_log(index: Index, lines: Iterable[tuple[int, str]], most: int = 5) -> Found:
    """The `most` cases of `index` that best explain the numbered `lines` of a log."""
    tallies = Tallies()
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
            tallies.credit(signature.cases, line, signature.worth)
        for name in set(_BREAK.findall(lowered)) - breaks:
            breaks.add(name)
            tallies.credit(index.breaks.get(name, ()), line, RULES.exact)
        if telling < RULES.telling_lines and (weight := line.weight):
            telling += 1
            for term in terms_of(line.text):
                weights[term] = max(weights.get(term, 0), weight)
    if not about and not near:
        return Found((), torch)
    top = max(weights.values(), default=1)
    _add_terms(index, weights, tallies)
    by_words = RULES.least if about else RULES.least_near
    matches = (
        it.match(index.pages[number], it.words // top)
        for number, it in tallies.items()
        if number < len(index.cases)
    )
    kept = (it for it in matches if it.score >= (RULES.least if it.lines else by_words))
    return Found(ranked(kept, most), torch, ids(breaks.difference(index.breaks), most))


def _distinct(found: Iterable[LogLine]) -> Iterator[LogLine]:
    """The first of the lines that differ only in numbers, not in ids: logs repeat themselves."""
    seen: set[int] = set()
    for line in found:
        shape = hash(_NUMBER.sub("", line.text))
        if shape not in seen:
            if len(seen) < RULES.remembered:
                seen.add(shape)
            yield line


def _add_terms(index: Index, weights: dict[str, int], tallies: Tallies) -> None:
    """Add each term once, with the weight of the most telling line that holds it."""
    postings = words_of(index).postings
    for term, weight in weights.items():
        for number, worth in postings.get(term, {}).items():
            tallies[number].words += worth * weight
