"""What `match` answers, as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from validators.files import PROGRAM
from validators.match import AREA_NEAR, GUESSES, LEARN_MORE, NEAREST, NOTHING, SISTERS, UNKNOWN
from validators.match.answers import status_on
from validators.match.incidents import Cause, Frame, Happened, told_cases
from validators.match.index import CASE, Index
from validators.match.knowledge import Knowledge
from validators.match.search import search
from validators.match.tally import By, Found, Match


@dataclass(kw_only=True)
class MatchedLine:
    """A line of a log that is exact evidence of a case; `line` counts from 1."""

    line: int
    text: str


@dataclass(kw_only=True)
class MatchResult:
    """A case that answers; `there` is what is known of it on the torch that the log names.

    Another page that answers a query stands with its kind, as `guide:troubleshooting`; `steps` are
    how to tell the causes of what a topic is about.

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
    steps: list[str]


@dataclass(kw_only=True)
class FamilyNamed:
    """A family that a log names: its kind and key, and its title in torch's words."""

    kind: str
    key: str
    title: str


@dataclass(kw_only=True)
class CauseResult:
    """One cause in a log: what `happened` for it, how often, and on how many ranks.

    `place` is where, `own` the user's own line that led there, "" if that is the same; `reason` is
    what the log says, from `line` on. `cases` have a line there that only they print. If there are
    none, the log only names `families`, and `possible` are their known causes.
    """

    happened: Happened
    count: int
    ranks: int
    line: int
    place: str
    own: str
    reason: str
    cases: list[str]
    families: list[FamilyNamed]
    possible: list[str]


@dataclass(kw_only=True)
class MatchOutput:
    """`match --json`: the torch that the log names, or "", and the cases, best first.

    `query` says whether the text was read as a query. `causes` are those of a log, the costliest
    first. `unexplained` are the ids of graph breaks in it that no case is about. `sure` says that
    the first case answers, `heading` what else to say before the cases, and `notes` what to do
    where nothing is known.
    """

    query: bool
    sure: bool
    torch: str
    heading: str
    causes: list[CauseResult]
    unexplained: list[str]
    matches: list[MatchResult]
    notes: list[str]


def matched(knowledge: Knowledge, lines: Iterable[tuple[int, str]]) -> MatchOutput:
    """The cases that answer the numbered `lines` of a query or a log."""
    found = search(knowledge.index, lines)
    ranks = {it.page.name: rank for rank, it in enumerate(found.matches)}
    return MatchOutput(
        query=found.query,
        sure=found.sure,
        torch=found.torch,
        heading=_heading(found),
        causes=[cause_result(knowledge.index, it, ranks) for it in found.causes],
        unexplained=list(found.unexplained),
        matches=[_result(knowledge, match, found.torch) for match in found.matches],
        notes=[*_notes(found)],
    )


def _heading(found: Found) -> str:
    """What to say before the cases; "" if the best of them is certain."""
    if found.sure:
        return ""
    if found.matches and not found.query:
        return SISTERS if found.matches[0].lines else GUESSES
    if found.matches:
        return NEAREST
    return "" if found.causes or found.unexplained else NOTHING


def _notes(found: Found) -> Iterator[str]:
    """What the catalog lacks, what is nearest, and how to learn more."""
    if found.unknown:
        yield UNKNOWN.format(" or ".join(f'"{it}"' for it in found.unknown))
    if near := found.near:
        yield AREA_NEAR.format(near.title, near.summary)
        yield f"Its cases: `{PROGRAM} list --area {near.name}`. PyTorch's page: {near.docs}"
    if not found.matches or not (found.query or found.matches[0].lines):
        yield LEARN_MORE


def cause_result(index: Index, cause: Cause, ranks: Mapping[str, int]) -> CauseResult:
    """A cause as output; its cases stand in the order of their `ranks` among all that answer."""
    first = cause.first
    families = [index.families[number] for number in sorted(first.families)]
    cases, possible = told_cases(index, first, ranks)
    return CauseResult(
        happened=first.happened,
        count=cause.count,
        ranks=len(cause.ranks),
        line=first.line.number,
        place=_place(first.inner),
        own=_place(first.own) if first.own != first.inner else "",
        reason=first.reason,
        cases=cases,
        families=[FamilyNamed(kind=it.kind, key=it.key, title=it.title) for it in families],
        possible=possible,
    )


def _place(frame: Frame) -> str:
    """Such as "model.py:12 in forward"."""
    if not frame:
        return ""
    file, line, function = frame
    return f"{file}:{line}" + (f" in {function}" if function else "")


def _result(knowledge: Knowledge, match: Match, torch: str) -> MatchResult:
    page = match.page
    known = knowledge.find(page.name) if page.kind == CASE else None
    return MatchResult(
        case=page.name if page.kind == CASE else f"{page.kind}:{page.name}",
        title=match.page.title,
        score=match.score,
        by=match.by,
        lines=[MatchedLine(line=it.number, text=it.text) for it in match.lines],
        summary=match.page.summary,
        fix=match.page.fix,
        there=status_on(known.answer, torch) if known else "",
        steps=list(page.steps),
    )
