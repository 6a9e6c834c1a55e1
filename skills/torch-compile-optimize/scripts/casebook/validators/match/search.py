"""The search: a query is answered by its names and words, a log by what its lines say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from validators.match.code import Code
from validators.match.evidence import Evidence, Reader, reader_of
from validators.match.incidents import Cause, Incidents
from validators.match.index import Index
from validators.match.language.rules import RULES
from validators.match.language.terms import terms_of
from validators.match.log_lines import LogLine, parse_lines, torch_release
from validators.match.queries import is_query, search_query
from validators.match.tally import Found, Match, Tallies, ids, ranked
from validators.match.words import words_of

_Part = tuple[LogLine, Evidence | None, str]
"""A line that may be a part of a wrapped one, what it is evidence of by itself, and its shape."""
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
    tallies, incidents = Tallies(), Incidents(it.kind for it in index.families)
    terms, used, breaks = set[str](), set[str](), set[str]()
    code = Code()
    torch, worded = "", 0
    about = near = False
    for line, evidence, first in _read(index, parse_lines(lines)):
        if evidence and evidence.joined:
            incidents.credit(line, evidence)
        else:
            incidents.add(line, evidence)
        code.read(line)
        if not first:
            continue
        torch = torch or torch_release(line.text)
        if evidence is not None:
            about = about or evidence.about
            near = near or bool(evidence.signatures or evidence.families)
            for it in evidence.signatures:
                if it.pattern not in used:
                    used.add(it.pattern)
                    tallies.credit(it.cases, evidence.line, it.worth, not it.header)
            for name in set(evidence.breaks) - breaks:
                breaks.add(name)
                told = not index.families
                tallies.credit(index.breaks.get(name, ()), evidence.line, RULES.exact, told)
        lowered = line.text.lower()
        near = near or any(map(lowered.__contains__, index.near_subject))
        if worded < RULES.worded_lines and line.informative:
            worded += 1
            terms.update(terms_of(line.text))
    if not about and not near:
        return Found((), torch)
    words = words_of(index)
    for term in terms:
        for number, worth in words.postings.get(term, {}).items():
            tallies[number].words += worth
    by_code = code.worths(index)
    matches = [
        it.match(index.all_pages[number], it.words + by_code.get(number, 0) * bool(it.lines))
        for number, it in tallies.items()
        if number < words.cases
    ]
    causes = tuple(incidents.causes())
    sure = _as_caused(index, ranked((it for it in matches if it.lines), most), causes)
    guesses = () if causes or not about else ranked(matches, most)
    known = sum(it in words.postings for it in terms)
    if words.confidence(guesses, known) < RULES.guess:
        guesses = ()
    unexplained = ids(breaks.difference(index.breaks), most)
    return Found(
        sure or guesses, torch, unexplained, causes=causes, sure=bool(sure) and sure[0].by == "line"
    )


def _as_caused(
    index: Index, matches: Sequence[Match], causes: Sequence[Cause]
) -> tuple[Match, ...]:
    """The matches in the order of the causes that they explain."""
    place = {
        index.cases[case]: number
        for number, it in reversed([*enumerate(causes)])
        for case in it.first.cases
    }
    return tuple(sorted(matches, key=lambda it: place.get(it.page.name, len(causes))))


def _read(
    index: Index, lines: Iterable[LogLine]
) -> Iterator[tuple[LogLine, Evidence | None, bool]]:
    """Each line with what it is evidence of, and whether it is the first of its shape.

    Lines that differ only in numbers, not in ids, have one shape: logs repeat themselves.
    """
    reader, seen = reader_of(index), set[int]()
    known: dict[int, Evidence] = {}
    wrapped: list[_Part] = []
    for line in lines:
        bare = _NUMBER.sub("", line.text)
        shape = hash(bare)
        first = shape not in seen
        if first:
            found = reader.read(line)
            evidence = found if found or found.about else None
            if len(seen) < RULES.remembered:
                seen.add(shape)
                if evidence:
                    known[shape] = evidence
        else:
            evidence = known.get(shape)
        yield line, evidence, first
        wrapped = _may_go_on(wrapped, (line, evidence, bare))
        for start in range(len(wrapped) - 2, -1, -1):
            parts = wrapped[start:]
            shape = hash(tuple([it for *_, it in parts]))
            if shape not in seen and len(seen) < RULES.remembered:
                seen.add(shape)
                for more in _wholes(reader, parts):
                    yield line, more, True


def _may_go_on(wrapped: list[_Part], part: _Part) -> list[_Part]:
    """The last lines that may be parts of one, up to `part`."""
    line = part[0]
    last = wrapped[-1][0] if wrapped else None
    goes_on = (
        last
        and not line.starts
        and not last.frame
        and last.length >= RULES.wrapped
        and last.rank == line.rank
        and last.number in (line.number, line.number - 1)
    )
    return [*wrapped[1 - RULES.pieces :], part] if goes_on else [part]


def _wholes(reader: Reader, parts: list[_Part]) -> Iterator[Evidence]:
    """What lines only say together, as they were before a terminal or a tracker wrapped them."""
    first, told = parts[0][0], [it for _, it, _ in parts if it]
    for between in ("", " "):
        whole = reader.read(replace(first, text=between.join([it.text for it, *_ in parts])))
        if whole and (more := _more(whole, told)):
            yield more


def _more(whole: Evidence, parts: Iterable[Evidence]) -> Evidence | None:
    """What only the whole line says; None if its parts say all of it."""
    told = list(parts)
    signatures = {it.pattern for part in told for it in part.signatures}
    families = {it for part in told for it in part.families}
    breaks = {it for part in told for it in part.breaks}
    found = replace(
        whole,
        signatures=tuple(it for it in whole.signatures if it.pattern not in signatures),
        families=tuple(it for it in whole.families if it not in families),
        breaks=tuple(it for it in whole.breaks if it not in breaks),
        joined=True,
    )
    return found if found else None
