"""The search: exact evidence first, then the words of the lines that tell most."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from validators.match.clues import Clue, clues, torch_release
from validators.match.index import Index
from validators.match.rules import RULES
from validators.match.waiting import Waiting
from validators.match.words import words

_BREAK = re.compile(RULES.graph_break, re.ASCII)
_NUMBER = re.compile(RULES.number)


@dataclass(frozen=True)
class Match:
    """A case, its score, and the lines that are exact evidence of it."""

    case: str
    score: int
    lines: tuple[Clue, ...]


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
    """What speaks for one case: its best exact evidence, and words."""

    exact: int = 0
    words: int = 0
    lines: dict[int, Clue] = field(default_factory=dict)


def search(index: Index, lines: Iterable[tuple[int, str]], most: int = 5) -> Found:
    """The `most` cases of `index` that best explain the numbered `lines`."""
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    weights: dict[str, int] = {}
    waiting, breaks = Waiting(index.signatures), set[str]()
    torch, telling = "", 0
    about, near = not index.subject, False
    for clue in _distinct(clues(lines)):
        torch = torch or torch_release(clue.text)
        lowered = clue.text.lower()
        about = about or any(phrase in lowered for phrase in index.subject)
        near = near or any(phrase in lowered for phrase in index.near_subject)
        for signature in waiting.take(clue.text):
            near = True
            worth = RULES.exact + RULES.exact // len(signature.cases)
            _credit(tallies, signature.cases, clue, worth)
        for name in set(_BREAK.findall(lowered)) - breaks:
            breaks.add(name)
            _credit(tallies, index.breaks.get(name, ()), clue, RULES.exact)
        if telling < RULES.telling_lines and (weight := clue.weight):
            telling += 1
            for word in words(clue.text):
                weights[word] = max(weights.get(word, 0), weight)
    if not about and not near:
        return Found((), torch)
    top = max(weights.values(), default=1)
    _add_words(index, weights, tallies)
    scored = [
        Match(
            index.cases[number],
            it.exact * index.tenths[number] // 10 + it.words // top,
            tuple(it.lines.values()),
        )
        for number, it in tallies.items()
    ]
    by_words = RULES.least if about else RULES.least_near
    kept = [it for it in scored if it.score >= (RULES.least if it.lines else by_words)]
    kept.sort(key=lambda it: (-it.score, it.case))
    unexplained = sorted(breaks.difference(index.breaks))[:most]
    return Found(tuple(kept[:most]), torch, tuple(name.upper() for name in unexplained))


def _distinct(found: Iterable[Clue]) -> Iterator[Clue]:
    """Of lines that differ in numbers only, not in ids, the first: logs repeat themselves."""
    seen: set[int] = set()
    for clue in found:
        shape = hash(_NUMBER.sub("", clue.text))
        if shape not in seen:
            if len(seen) < RULES.remembered:
                seen.add(shape)
            yield clue


def _credit(tallies: dict[int, _Tally], cases: Iterable[int], clue: Clue, worth: int) -> None:
    for case in cases:
        tallies[case].exact = max(tallies[case].exact, worth)
        tallies[case].lines[clue.number] = clue


def _add_words(index: Index, weights: dict[str, int], tallies: dict[int, _Tally]) -> None:
    """Each word counts once, by the line that tells most of those which hold it."""
    for word, weight in weights.items():
        postings = index.words.get(word, ())
        case = 0
        for step, worth in zip(postings[::2], postings[1::2], strict=True):
            case += step
            tallies[case].words += worth * weight
