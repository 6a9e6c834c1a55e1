"""A log as incidents, and these by their causes: what happened, where, why, how often."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from validators.match.evidence import Evidence
from validators.match.index import Index
from validators.match.language.rules import RULES
from validators.match.log_lines import LogLine, is_exception, is_library

Happened = Literal["exception", "limit", "break", "recompile", "skip", "message"]
"""What may happen, the costliest first: the program stops, a function runs eagerly from then on,
a part of each call does, a call compiles, kernels are launched one by one; or only a line says so.
"""
HAPPENED: tuple[Happened, ...] = get_args(Happened)
_OF_FAMILY: dict[str, Happened] = {
    "graph_break": "break",
    "guard": "recompile",
    "cudagraph_skip": "skip",
    "exception": "exception",
}
_RECOMPILE = re.compile(RULES.recompile, re.ASCII)
_LIMIT = re.compile(RULES.limit, re.ASCII)
_BREAK = re.compile(RULES.graph_broke, re.ASCII)
_SKIP = re.compile(RULES.skip, re.ASCII)
_LIMIT_PLACE = re.compile(RULES.limit_place, re.ASCII)
_LIMIT_REASON = re.compile(RULES.limit_reason, re.ASCII)
_REASON = re.compile(RULES.reason, re.ASCII)
_NO_REASON = re.compile(RULES.no_reason, re.ASCII)
_RAISED = re.compile(RULES.raised, re.ASCII)
_CHAINED = re.compile(RULES.chained, re.ASCII)
_NUMBER = re.compile(RULES.number)
Frame = tuple[str, ...]
"""File, line and function."""


@dataclass
class Incident:
    """What happened at one place of a log; `frames` are those of its traceback, outermost first.

    `cases` have signatures that fit its lines, with what these are worth, `members` are those of
    which only the family is named.
    """

    happened: Happened
    line: LogLine
    place: Frame = ()
    reason: str = ""
    frames: list[Frame] = field(default_factory=list)
    about: bool = False
    cases: dict[int, int] = field(default_factory=dict)
    members: set[int] = field(default_factory=set)
    families: dict[int, None] = field(default_factory=dict)
    breaks: dict[str, None] = field(default_factory=dict)

    def add(self, evidence: Evidence) -> None:
        """Count what a line of it is evidence of."""
        self.about = self.about or evidence.about
        self.families.update(dict.fromkeys(evidence.families))
        self.breaks.update(dict.fromkeys(evidence.breaks))
        for it in evidence.signatures:
            for case in it.cases:
                if it.header:
                    self.members.add(case)
                else:
                    self.cases[case] = max(self.cases.get(case, 0), it.worth)

    @property
    def inner(self) -> Frame:
        """Where it happened."""
        return self.place or (self.frames[-1] if self.frames else ())

    @property
    def own(self) -> Frame:
        """The user's own line that led there."""
        own = (it for it in reversed([*self.frames, self.place]) if it and not is_library(it[0]))
        return next(own, ())

    @property
    def key(self) -> tuple[str, ...]:
        """What all incidents of one cause have in common."""
        return self.happened, *self.inner[:2], _NUMBER.sub("", self.reason)


@dataclass
class Cause:
    """Incidents of one cause: the first of them, how many there are, and on how many ranks."""

    first: Incident
    count: int = 0
    ranks: set[str] = field(default_factory=set)

    @property
    def order(self) -> tuple[int, int, int]:
        """By cost: what happened, then how often, then where in the log."""
        return HAPPENED.index(self.first.happened), -self.count, self.first.line.number


@dataclass
class _Rank:
    """What one process is in the midst of saying."""

    incident: Incident | None = None
    frames: list[Frame] = field(default_factory=list)
    about: bool = False
    chained: bool = False


class Incidents:
    """Collects the incidents of a log, line by line; lines of several ranks may alternate."""

    def __init__(self, kinds: Iterable[str]) -> None:
        """`kinds` are those of the index's families, by number."""
        self._kinds = list(kinds)
        self._ranks: dict[str, _Rank] = {}
        self._causes: dict[tuple[str, ...], Cause] = {}

    def add(self, line: LogLine, evidence: Evidence | None) -> None:
        """Take the next line."""
        rank = self._ranks.setdefault(line.rank, _Rank())
        about = evidence is not None and evidence.about
        if line.frame:
            rank.about = rank.about or about
            (rank.incident.frames if rank.incident else rank.frames).append(line.frame)
        elif line.text.startswith("Traceback ("):
            self._traceback(rank)
        elif "exception" in line.text and _CHAINED.match(line.text):
            rank.chained = True
        elif begun := _begun(line):
            self._begin(rank, begun)
        elif rank.incident:
            _go_on(rank.incident, line)
        if rank.incident and line.number - rank.incident.line.number > RULES.incident_lines:
            self._close(rank)
        if evidence is not None:
            self.credit(line, evidence)

    def causes(self) -> list[Cause]:
        """The causes, the costliest first."""
        for rank in self._ranks.values():
            self._close(rank)
        return sorted(self._causes.values(), key=lambda it: it.order)

    def _traceback(self, rank: _Rank) -> None:
        if rank.incident and rank.incident.happened != "exception":
            self._close(rank)
        rank.frames = []

    def _begin(self, rank: _Rank, begun: Incident) -> None:
        last, same = rank.incident, False
        if begun.happened == "exception":
            near = last and begun.line.number - last.line.number <= 2
            raised = last and near and _RAISED.search(last.reason)
            same = bool(last and last.happened == "exception" and (raised or rank.chained))
            if last and not same and last.happened != "exception" and not rank.frames:
                _go_on(last, begun.line)
                return
            begun.frames, rank.frames = rank.frames, []
            begun.about, rank.about = rank.about, False
        rank.chained = False
        if same and last:
            begun.frames = begun.frames or last.frames
            begun.about = begun.about or last.about
            begun.cases, begun.members = last.cases, last.members
            begun.families, begun.breaks = last.families, last.breaks
            rank.incident = begun
            return
        self._close(rank)
        rank.incident = begun

    def credit(self, line: LogLine, evidence: Evidence) -> None:
        """Count what a line is evidence of for what is going on there."""
        rank = self._ranks.setdefault(line.rank, _Rank())
        if rank.incident:
            rank.incident.add(evidence)
        elif evidence and not line.frame:
            kinds = [_OF_FAMILY[self._kinds[it]] for it in evidence.families]
            kinds += ["break"] if evidence.breaks else []
            alone = Incident(min(kinds, key=HAPPENED.index, default="message"), line)
            alone.reason = line.text.strip()
            alone.add(evidence)
            if alone.happened == "break" and evidence.families:
                rank.incident = alone  # the rest of the message follows
            else:
                self._count(alone)

    def _close(self, rank: _Rank) -> None:
        if rank.incident:
            self._count(rank.incident)
        rank.incident = None

    def _count(self, it: Incident) -> None:
        known = it.about or it.cases or it.members or it.families or it.breaks
        if it.happened == "exception" and not known:
            return
        if it.key in self._causes or len(self._causes) < RULES.causes:
            cause = self._causes.setdefault(it.key, Cause(it))
            cause.count += 1
            cause.ranks.add(it.line.rank)


def _begun(line: LogLine) -> Incident | None:
    """The incident that begins with a line."""
    text = line.text
    if "ecompiling function " in text and (it := _RECOMPILE.search(text)):
        return Incident("recompile", line, (it[2], it[3], it[1]))
    if "hit config." in text and _LIMIT.search(text):
        return Incident("limit", line)
    if "raph break" in text and (it := _BREAK.match(text)):
        place = (it[1], it[2], "") if it[1] else ()
        return Incident("break", line, place, "" if place else _without_mark(text))
    if "cudagraph" in text and (it := _SKIP.search(text)):
        return Incident("skip", line, reason=(it[1] or it[2]).strip())
    if is_exception(text):
        return Incident("exception", line, reason=text.strip())
    return None


def _go_on(incident: Incident, line: LogLine) -> None:
    """Take from a further line of an incident where it happened and why, if it says so first."""
    if incident.happened == "limit":
        if it := _LIMIT_PLACE.search(line.text):
            incident.place = incident.place or (it[2], it[3], it[1])
        if it := _LIMIT_REASON.search(line.text):
            incident.reason = incident.reason or _without_mark(it[1])
        return
    wanted = incident.happened in ("break", "recompile") and not incident.reason
    if wanted and not _NO_REASON.match(line.text):
        incident.reason = _without_mark(line.text)


def _without_mark(text: str) -> str:
    found = _REASON.match(text)
    return (text[found.end() :] if found else text).strip()


def told_cases(index: Index, it: Incident, ranks: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """The cases that a line of an incident tells, best first, and those that it only may be.

    `ranks` has the places of cases among the answers. The second are known causes of its families;
    among guards many have one.
    """

    def place(case: int) -> tuple[int, int, str]:
        name = index.cases[case]
        return ranks.get(name, len(ranks)), -it.cases[case], name

    order = sorted(it.cases, key=place)
    may_be = it.members.union(*(index.families[number].facts.cases for number in it.families))
    may_be |= {case for name in it.breaks for case in index.breaks.get(name, ())}
    told = [index.cases[case] for case in order[: RULES.told]]
    possible = sorted(index.cases[case] for case in may_be.difference(it.cases))
    return told, possible[: RULES.possible]
