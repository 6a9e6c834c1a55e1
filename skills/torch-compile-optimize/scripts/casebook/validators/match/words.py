"""The words of the pages and their weights, which are made from an index when it is first used."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from validators.match.index import CASE, SILENT, Index, IndexedPage, Signature
from validators.match.language.packing import unpacked
from validators.match.language.rules import RULES
from validators.match.language.spelling import Spelling
from validators.match.language.symptoms import differ, symptoms_of
from validators.match.language.terms import names_in, plain, terms_of
from validators.match.tally import Match

_NOT_OF_A_KEY = re.compile(RULES.not_of_a_key)
_SHORT = 2
"""Code that is so short is a variable's name."""
_BREAK = re.compile(RULES.graph_break, re.ASCII)
_CODE = re.compile(r"`([^`]+)`")
_ESCAPES = re.compile(r"\\.|[.*+?]")


@dataclass(frozen=True)
class Words:
    """How the pages are found, whose numbers below `cases` are those of cases.

    `postings` has for each term the pages that hold it, with its weight for each. The others go by
    keys: `names` has the pages with that name, `apis` those whose title holds it as code, worth
    half a name, and `literals` the signatures that hardly say more.
    `symptoms` are those of each page, and `rarest` is the rarity of a term of one page.
    """

    cases: int
    symptoms: list[frozenset[str]]
    rarest: float
    postings: dict[str, dict[int, int]]
    names: dict[str, list[int]]
    apis: dict[str, list[int]]
    literals: list[tuple[str, Signature]]

    @cached_property
    def spelling(self) -> Spelling:
        """The terms, for words that are not among them."""
        return Spelling({term: len(pages) for term, pages in self.postings.items()})

    def tenths(self, number: int, symptoms: frozenset[str]) -> int:
        """How much words and names count for a page, where a text names these `symptoms`."""
        return RULES.other_symptom if differ(symptoms, self.symptoms[number]) else 10

    def confidence(self, matches: Sequence[Match], terms: int) -> float:
        """How surely the first of `matches` answers a text of so many different `terms`.

        A longer text has more words in common with any page.
        """
        return matches[0].score / (math.sqrt(max(terms, 1)) * self.rarest) if matches else 0.0


@lru_cache(maxsize=4)
def words_of(index: Index) -> Words:
    """The words of an index, weighted by BM25 (Robertson and Zaragoza, 2009).

    Weights are whole numbers, so that every implementation gets the same sums. The cases alone say
    how rare a term is and how long a page: their weights do not depend on what other pages hold.
    """
    counts = _counts(index)
    cases = len(index.cases)
    lengths = [sum(it.values()) for it in counts]
    mean = sum(lengths[:cases]) / max(cases, 1)
    rules = index.rules
    norms = [rules.saturation * (1 - rules.length + rules.length * it / mean) for it in lengths]
    held = Counter(term for it in counts[:cases] for term in it)
    postings: dict[str, dict[int, int]] = defaultdict(dict)
    for number, (terms, norm) in enumerate(zip(counts, norms, strict=True)):
        for term, count in terms.items():
            rarity = _rarity(held[term] + index.common.get(term, 0), cases + index.logs)
            weight = rules.scale * rarity * (rules.saturation + 1) * count / (count + norm)
            if whole := math.floor(weight + 0.5):
                postings[term][number] = whole
    return Words(
        cases,
        [*map(_symptoms, index.all_pages)],
        _rarity(1, cases + index.logs),
        dict(postings),
        _names(index.all_pages),
        _apis(index.pages),
        _literals(index),
    )


def _symptoms(page: IndexedPage) -> frozenset[str]:
    """What a page says goes wrong; areas and guides are about more than one symptom."""
    if page.kind not in (CASE, SILENT):
        return frozenset()
    return symptoms_of(f"{page.title} {page.summary}")


def key_of(name: str) -> str:
    """The letters and digits of a name: `a-b`, "A b" and `case:a_b` are one."""
    return _NOT_OF_A_KEY.sub("", plain(name).lower())


def _names(pages: Sequence[IndexedPage]) -> dict[str, list[int]]:
    names: dict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        if page.kind == "graph_break":
            continue  # its id is not compared as a name
        for key in dict.fromkeys(map(key_of, (page.name, *page.aliases))):
            names[key].append(number)
    return dict(names)


def _rarity(held: int, of: int) -> float:
    """In sixteenths, so that no last digit of a logarithm matters."""
    return math.floor(16 * math.log(1 + (of - held + 0.5) / (held + 0.5)) + 0.5) / 16


def shown_terms(
    pages: Sequence[IndexedPage], signatures: Iterable[Signature]
) -> list[dict[str, list[str]]]:
    """The terms of each page that lists or signatures show, and the parts that each occurs in."""
    terms: list[dict[str, list[str]]] = [defaultdict(list) for _ in pages]
    for page, found in zip(pages, terms, strict=True):
        for part, text in _parts(page):
            for term in terms_of(text):
                found[term].append(part)
    for signature in signatures:
        for term in terms_of(_ESCAPES.sub(" ", signature.pattern)):
            for number in signature.cases:
                terms[number][term].append("signature")
    return terms


def _counts(index: Index) -> list[Counter[str]]:
    """How often each term occurs in each page, weighted by the parts that it occurs in."""
    weights = index.rules.weights
    counts = [
        Counter({term: sum(map(weights.__getitem__, parts)) for term, parts in terms.items()})
        for terms in shown_terms(index.all_pages, index.signatures)
    ]
    for term, numbers in unpacked(index.terms, index.holders):
        for number in numbers:
            counts[number][term] += weights["hidden"]
    return counts


def _parts(page: IndexedPage) -> Iterator[tuple[str, str]]:
    yield "name", " ".join((page.name, *page.aliases))
    yield "title", page.title
    yield "summary", page.summary
    yield "fix", page.fix


def _apis(pages: Sequence[IndexedPage]) -> dict[str, list[int]]:
    apis: dict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        codes = _CODE.findall(page.title)
        names = [name for code in codes for name in names_in(code)]
        parts = [part for name in names for part in name.split(".")]
        for key in dict.fromkeys(map(key_of, (*codes, *names, *parts))):
            if len(key) > _SHORT and not _BREAK.fullmatch(key):
                apis[key].append(number)
    return dict(apis)


def _literals(index: Index) -> list[tuple[str, Signature]]:
    """The keys of the literals that make up most of their patterns."""
    keys = ((key_of(it.literal), key_of(it.pattern), it) for it in index.signatures)
    return [
        (literal, it)
        for literal, pattern, it in keys
        if len(literal) >= RULES.phrase and 4 * len(literal) >= 3 * len(pattern)
    ]
