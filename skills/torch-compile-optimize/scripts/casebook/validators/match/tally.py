"""What speaks for each page, and the answer that it adds up to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from validators.match.incidents import Cause
from validators.match.index import IndexedPage
from validators.match.language.rules import RULES
from validators.match.log_lines import LogLine

By = Literal["line", "family", "name", "words"]
"""What speaks most for a page: a line of a log that only its cause prints, one that its family or
other causes print, too, its name in the text, or words alone."""


@dataclass(frozen=True)
class Match:
    """A page that answers, its score, and the lines that are exact evidence of it."""

    page: IndexedPage
    score: int
    by: By
    lines: tuple[LogLine, ...]


@dataclass(frozen=True)
class Found:
    """The pages that answer a text, best first, and the release of torch that it names, or "".

    `causes` are those of a log, the costliest first. `unexplained` are the ids of graph breaks in
    it, as "GB0170", that nothing is known about. `query` says whether the text was read as a query,
    else as a log, and `sure` that the first page answers it. `unknown` are words of an unanswered
    query that no page has, and `near` is the area nearest to it.
    """

    matches: tuple[Match, ...]
    torch: str
    unexplained: tuple[str, ...] = ()
    query: bool = False
    causes: tuple[Cause, ...] = ()
    sure: bool = False
    unknown: tuple[str, ...] = ()
    near: IndexedPage | None = None


@dataclass
class Tally:
    """The evidence for one page: the best lines, the best name, the words.

    `telling` holds, for each line that tells some pages from their sisters, those pages: this one
    among them. `covered` is how much of a query's sense its words are.
    """

    exact: int = 0
    named: int = 0
    words: int = 0
    covered: int = 0
    lines: dict[int, LogLine] = field(default_factory=dict)
    telling: list[set[int]] = field(default_factory=list)

    @property
    def by(self) -> By:
        """What speaks most for the page."""
        if self.lines:
            return "line" if any(len(it) == 1 for it in self.telling) else "family"
        return "name" if self.named else "words"

    def match(self, page: IndexedPage, words: int, tenths: int = 10) -> Match:
        """The answer by `page`, where its words are worth `words`.

        So many `tenths` of what words and names are worth count.
        """
        score = self.exact * page.tenths // 10 + (self.named + words) * tenths // 10
        return Match(page, score, self.by, tuple(self.lines.values()))


class Tallies(defaultdict[int, Tally]):
    """The evidence for each page, by its number."""

    def __init__(self) -> None:
        super().__init__(Tally)
        self._told: dict[int, set[int]] = defaultdict(set)

    def credit(self, pages: Iterable[int], line: LogLine, worth: int, told: bool = True) -> None:
        """Count a line as exact evidence for `pages`.

        `told` says whether it tells them from their sisters.
        """
        for page in pages:
            if told:
                self._told[line.number].add(page)
                self[page].telling.append(self._told[line.number])
            self[page].exact = max(self[page].exact, worth)
            self[page].lines[line.number] = line

    def name(self, pages: Iterable[int], worth: int) -> None:
        """Count a name of `pages`."""
        for page in pages:
            self[page].named = max(self[page].named, worth)


def ranked(matches: Iterable[Match], most: int) -> tuple[Match, ...]:
    """The `most` best ones, best first; of equal ones, that with the shorter title.

    Without a line that speaks for it, a page far behind the best is no answer.
    """

    def place(it: Match) -> tuple[int, int, str]:
        return -it.score, len(it.page.title), it.page.name

    best = sorted(matches, key=place)[:most]
    return tuple(it for it in best if it.lines or 10 * it.score >= RULES.tail * best[0].score)


def ids(breaks: Iterable[str], most: int) -> tuple[str, ...]:
    """At most `most` ids of graph breaks, as torch writes them."""
    return tuple(name.upper() for name in sorted(breaks)[:most])
