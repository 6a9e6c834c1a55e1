"""What `match` answers, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validators.match import GUESSES, NEAREST, NOTHING
from validators.match.answers import status_on
from validators.match.knowledge import Knowledge
from validators.match.search import search
from validators.match.tally import By, Match


@dataclass(kw_only=True)
class MatchedLine:
    """A line of a log that is exact evidence of a case; `line` counts from 1."""

    line: int
    text: str


@dataclass(kw_only=True)
class MatchResult:
    """A case that explains a log; `there` is what is known of it on the torch that the log names.

    `by` says what speaks most for it. Compare a `score` only with others for the same log.
    """

    case: str
    title: str
    score: int
    by: By
    lines: list[MatchedLine]
    summary: str
    fix: str
    there: str


@dataclass(kw_only=True)
class MatchOutput:
    """`match --json`: the torch that the log names, or "", and the cases, best first.

    `query` says whether the text was read as a query. `unexplained` are the ids of graph breaks in
    it that no case is about.
    """

    query: bool
    torch: str
    unexplained: list[str]
    matches: list[MatchResult]

    @property
    def heading(self) -> str:
        """What to say before the cases; "" if the best of them is certain."""
        if not self.matches:
            return NOTHING
        if self.query:
            return NEAREST if self.matches[0].by == "words" else ""
        return "" if self.matches[0].lines else GUESSES


def matched(knowledge: Knowledge, lines: Iterable[tuple[int, str]]) -> MatchOutput:
    """The cases that answer the numbered `lines` of a query or a log."""
    found = search(knowledge.index, lines)
    return MatchOutput(
        query=found.query,
        torch=found.torch,
        unexplained=list(found.unexplained),
        matches=[_result(knowledge, match, found.torch) for match in found.matches],
    )


def _result(knowledge: Knowledge, match: Match, torch: str) -> MatchResult:
    known = knowledge.find(match.page.name)
    assert known, "an index names cases of its own catalog"
    return MatchResult(
        case=match.page.name,
        title=match.page.title,
        score=match.score,
        by=match.by,
        lines=[MatchedLine(line=it.number, text=it.text) for it in match.lines],
        summary=match.page.summary,
        fix=match.page.fix,
        there=status_on(known.answer, torch),
    )
