"""What `match` answers, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validators.match.answers import status_on
from validators.match.knowledge import Knowledge
from validators.match.search import Match, search


@dataclass(kw_only=True)
class MatchedLine:
    """A line of a log that is exact evidence of a case; `line` counts from 1."""

    line: int
    text: str


@dataclass(kw_only=True)
class MatchResult:
    """A case that explains a log; `there` is what is known of it on the torch that the log names.

    Compare a `score` only with others for the same log.
    """

    case: str
    title: str
    score: int
    lines: list[MatchedLine]
    summary: str
    fix: str
    there: str


@dataclass(kw_only=True)
class MatchOutput:
    """`match --json`: the torch that the log names, or "", and the cases, best first.

    `unexplained` are the ids of the log's graph breaks that no case is about.
    """

    torch: str
    unexplained: list[str]
    matches: list[MatchResult]


def matched(knowledge: Knowledge, lines: Iterable[tuple[int, str]]) -> MatchOutput:
    """The cases that explain the numbered `lines` of a log."""
    found = search(knowledge.index, lines)
    results = [_result(knowledge, match, found.torch) for match in found.matches]
    return MatchOutput(torch=found.torch, unexplained=list(found.unexplained), matches=results)


def _result(knowledge: Knowledge, match: Match, torch: str) -> MatchResult:
    known = knowledge.find(match.case)
    assert known, "an index names cases of its own catalog"
    return MatchResult(
        case=match.case,
        title=known.answer.title,
        score=match.score,
        lines=[MatchedLine(line=it.number, text=it.text) for it in match.lines],
        summary=known.answer.summary,
        fix=known.answer.fix,
        there=status_on(known.answer, torch),
    )
