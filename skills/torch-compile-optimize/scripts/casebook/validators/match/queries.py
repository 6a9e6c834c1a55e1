"""The search for a query, which is a few words: names first, then words, also misspelt ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from validators.match.evidence import reader_of
from validators.match.index import AREA, Index, IndexedPage
from validators.match.language.rules import RULES
from validators.match.language.symptoms import symptoms_of
from validators.match.language.terms import name_terms, names_in, terms_of
from validators.match.log_lines import LogLine, is_logged, parse_lines, torch_release
from validators.match.tally import Found, Match, Tallies, Tally, ids, ranked
from validators.match.words import Words, key_of, words_of

_CODE = re.compile(RULES.code)
_BREAK = re.compile(RULES.graph_break, re.ASCII)
_WHOLE_BREAK = re.compile(RULES.whole_break, re.ASCII)


def is_query(lines: Sequence[tuple[int, str]]) -> bool:
    """Whether a person typed the `lines`: they are few and short, and no program printed them."""
    texts = [text for _, text in lines if text]
    return (
        0 < len(texts) <= RULES.query_lines
        and sum(1 + len(text) for _, text in lines) <= RULES.query_length
        and not any(map(is_logged, texts))
    )


def search_query(index: Index, lines: Sequence[tuple[int, str]], most: int) -> Found:
    """The `most` pages of `index` that answer a query best."""
    text = " ".join(line for _, line in lines)
    words, breaks = words_of(index), _breaks(text)
    groups = _groups(words, text)
    asked = max(sum(it.importance for it in groups.values()), 1)
    tallies = Tallies()
    for line in parse_lines(lines):
        _credit_line(index, words, line, breaks, tallies)
    importance = {term: group.importance for term, group in groups.items()}
    _credit_names(words, text, importance, asked, tallies)
    for name in breaks:
        tallies.name(index.breaks.get(name, ()), RULES.called // 2)
        tallies.name(index.family_numbers.get(name, ()), RULES.called // 2)
    for group in groups.values():
        for number, worth in group.worths.items():
            tallies[number].words += worth
            tallies[number].covered += group.importance
    symptoms = symptoms_of(text)
    whole = index.family_numbers.get(_whole_break(text), ())
    matches = ranked(
        (
            _match(index, number, it, asked, words.tenths(number, symptoms), number in whole)
            for number, it in tallies.items()
        ),
        most,
    )
    confidence = words.confidence(matches, len(groups))
    unexplained = ids(breaks.difference(index.breaks, index.family_numbers), most)
    torch = torch_release(text)
    if confidence < RULES.fits:
        return Found(
            (),
            torch,
            unexplained,
            query=True,
            unknown=tuple(_unknown(words, text))[:most],
            near=_nearest_area(index, tallies, RULES.near * words.rarest),
        )
    ahead = len(matches) == 1 or 10 * matches[1].score <= RULES.ahead * matches[0].score
    sure = ahead and confidence >= RULES.sure
    return Found(matches, torch, unexplained, query=True, sure=sure)


def _nearest_area(index: Index, tallies: Mapping[int, Tally], least: float) -> IndexedPage | None:
    """The area that names and words speak for most, if that is at least `least`."""
    areas = [
        (it.named + it.words, -number)
        for number, it in tallies.items()
        if index.all_pages[number].kind == AREA and it.named + it.words >= least
    ]
    return index.all_pages[-max(areas)[1]] if areas else None


def _unknown(words: Words, text: str) -> Iterator[str]:
    """The words and names of a text of which no page has any part, each once."""
    for name in dict.fromkeys(names_in(text)):
        terms = name_terms(name)
        if terms and not any(it in words.postings for it in terms):
            yield name


def _match(
    index: Index, number: int, tally: Tally, asked: int, tenths: int, is_whole: bool
) -> Match:
    """The answer by a page, where the query's sense is worth `asked` or is the page's id."""
    found = tally.match(index.all_pages[number], tally.words * tally.covered // asked, tenths)
    if is_whole:
        return replace(found, score=found.score + RULES.called)
    if number < len(index.pages):
        return found
    return replace(found, score=found.score * RULES.family_tenths // 10)


@dataclass(frozen=True)
class _Group:
    """A word of the query: what it is worth for each page, and its share in the query's sense."""

    worths: dict[int, int]
    importance: int


def _groups(words: Words, text: str) -> dict[str, _Group]:
    """The words of a text, each once; the last one may be unfinished."""
    groups: dict[str, _Group] = {}
    names = names_in(text)
    for place, name in enumerate(names, 1):
        known = {it for it in (name.lower(), *name_terms(name)) if it in words.postings}
        groups.update((it, _group(words, [it], 4)) for it in sorted(known))
        for part in name.split("."):
            if part.lower() not in known:
                unknown = [it for it in name_terms(part) if it not in known]
                groups.update(_guesses(words, unknown, place == len(names)))
    return groups


def _guesses(words: Words, terms: Iterable[str], last: bool) -> dict[str, _Group]:
    """What the unknown terms of a name may mean: the whole name, or else its parts.

    A word that means nothing counts as asked for, too.
    """
    guesses: dict[str, _Group] = {}
    for term in terms:
        meant = words.spelling.completions(term) if last else []
        if meant := meant or words.spelling.correction(term):
            guesses[term] = _group(words, meant, 3)
            if not term.isalpha():
                break
        elif term.isalpha():
            guesses[term] = _Group({}, RULES.unknown)
    return guesses


def _group(words: Words, terms: Iterable[str], quarters: int) -> _Group:
    worths: dict[int, int] = {}
    for term in terms:
        for number, worth in words.postings[term].items():
            worths[number] = max(worths.get(number, 0), worth * quarters // 4)
    of_cases = (worth for number, worth in worths.items() if number < words.cases)
    return _Group(worths, max(of_cases, default=0) or max(worths.values()))


def _breaks(text: str) -> set[str]:
    """The ids of graph breaks in a text; if it is nothing else, spelt in any way."""
    return {*_BREAK.findall(text.lower()), _whole_break(text)} - {""}


def _whole_break(text: str) -> str:
    """The id of a graph break that is the whole text; "" if it is none."""
    whole = _WHOLE_BREAK.fullmatch(key_of(text))
    return f"gb{whole[1]:0>4}" if whole else ""


def _credit_line(
    index: Index, words: Words, line: LogLine, breaks: Iterable[str], tallies: Tallies
) -> None:
    """Count what the line is exact evidence of, and signatures that say the same or begin so."""
    key = key_of(line.text)
    for signature in reader_of(index).signatures(line.text):
        tallies.credit(signature.cases, line, signature.worth)
    for literal, signature in words.literals:
        if literal in key:
            tallies.credit(signature.cases, line, signature.worth)
        elif len(key) >= RULES.phrase and key in literal:
            tallies.credit(signature.cases, line, signature.worth * len(key) // len(literal))
    for name in breaks:
        tallies.credit(index.breaks.get(name, ()), line, RULES.exact)


def _credit_names(
    words: Words, text: str, importance: Mapping[str, int], asked: int, tallies: Tallies
) -> None:
    """Count the names in a text: as much as the part of its sense that they are, squared."""
    whole = key_of(text)
    for phrase in _phrases(text):
        key = key_of(phrase)
        share = min(sum(importance.get(it, 0) for it in {*terms_of(phrase)}), asked)
        worth = RULES.called if key == whole else RULES.named * share**2 // asked**2
        tallies.name(words.names.get(key, ()), worth)
        if key == whole or _CODE.search(phrase):
            tallies.name(words.apis.get(key, ()), worth // 2)


def _phrases(text: str) -> Iterator[str]:
    """The words of a text that follow each other and may be a name."""
    words = text.split()
    for start in range(len(words)):
        for stop in range(start + 1, min(start + RULES.name_words, len(words)) + 1):
            yield " ".join(words[start:stop])
