"""The dated history that log entries tell of the cases, with the evidence's verdicts beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from validators.catalog import Case
from validators.catalog.logs import LogEntry, Relation
from validators.collected import collected
from validators.evidence.columns import column
from validators.evidence.quantities import count
from validators.published.standing import Cell, Standing

WORDS: dict[Relation, str] = {
    "introduces": "introduced",
    "supports": "supported",
    "refutes": "refuted",
}
"""What happened to a claim or belief; on one day it happens in this order."""
_LONG = 10
"""A group with more events than this is folded."""


@dataclass(frozen=True)
class Event:
    """What an entry did to a case's claim or, for a retraction, to the belief that it retracts.

    `refutation` is the first later event that refutes what this one introduced or supported.
    """

    entry: LogEntry
    standing: Standing
    relation: Relation
    refutation: Event | None = None

    @property
    def case(self) -> Case:
        """The case that the event is about."""
        return self.standing.case

    @property
    def word(self) -> str:
        """The relation as a reader sees it, such as "refuted"."""
        return "bounded" if self.bounded else WORDS[self.relation]

    @cached_property
    def bounded(self) -> bool:
        """Whether the claim fails only where its page does not expect it to hold, and so stands."""
        if self.relation != "refutes" or self.subject != "claim" or self.case.retired:
            return False
        named = self.entry.meta.evidence
        fails = [
            cell
            for cell in self.standing.decided
            if cell.state.key != "confirmed" and (not named or cell.column.name in named)
        ]
        return bool(fails) and not any(cell.surprising for cell in fails)

    @property
    def subject(self) -> str:
        """What the relation is about: "claim", or a retraction's "belief"."""
        return "belief" if self.case.meta.kind == "retraction" else "claim"

    @property
    def sentence(self) -> str:
        """The claim or the belief itself."""
        meta = self.case.meta
        return (meta.believed if self.subject == "belief" else meta.claim).strip()

    @property
    def instead(self) -> str:
        """The label of the claim that replaces a belief: true only if a program confirms it."""
        confirmed = any(cell.state.key == "confirmed" for cell in self.standing.decided)
        return "True instead" if confirmed else "Claimed instead"

    @property
    def verdicts(self) -> list[list[Cell]]:
        """The case's cells in the columns that the entry names, equal neighbours together.

        Empty for a claim that is only introduced, which takes no evidence.
        """
        named = self.entry.meta.evidence if self.relation != "introduces" else ()
        cells = self.standing.on(map(column, named))
        return [list(same) for _, same in groupby(cells, lambda cell: (cell.state.key, cell.was))]


@dataclass(frozen=True)
class Group:
    """The events of one entry with the same outcome, all about claims or all about beliefs."""

    events: Sequence[Event]

    @property
    def title(self) -> str:
        """Such as "refuted 12 beliefs"."""
        return f"{self.word} {self.count}"

    @property
    def word(self) -> str:
        """What happened, such as "refuted"."""
        return self.events[0].word

    @property
    def count(self) -> str:
        """To how many it happened, such as "12 beliefs"."""
        return count(len(self.events), self.events[0].subject)

    @property
    def folded(self) -> bool:
        """Whether there are so many events that the page folds them."""
        return len(self.events) > _LONG


@dataclass(frozen=True)
class History:
    """All events, in order of time."""

    events: tuple[Event, ...]

    @cached_property
    def by_case(self) -> dict[str, list[Event]]:
        """Each case's events, in order of time, by the case's name."""
        return collected((event.case.name, event) for event in self.events)

    @cached_property
    def by_entry(self) -> dict[str, list[Event]]:
        """What each entry did, by the entry's name."""
        return collected((event.entry.name, event) for event in self.events)

    def groups(self, entry: LogEntry) -> list[Group]:
        """What `entry` did, refutations first."""
        return _grouped(self.by_entry.get(entry.name, []))

    def refuted_since(self, entry: LogEntry) -> list[Group]:
        """What `entry` introduced or supported and a later one refuted."""
        return _grouped(it for it in self.by_entry.get(entry.name, []) if it.refutation)

    def lapsed(self, cited: Iterable[Standing]) -> list[tuple[Standing, list[Cell], Event | None]]:
        """The cases among `cited` that prose can no longer rely on.

        Each comes with the cells in which it fails though its page expects it to hold there, and
        with the last event that refuted it.
        """
        found = []
        for standing in cited:
            fails = [cell for cell in standing.decided if cell.surprising]
            if standing.case.retired or fails:
                events = self.by_case.get(standing.case.name, [])
                refuting = [e for e in events if (e.word, e.subject) == ("refuted", "claim")]
                found.append((standing, fails, refuting[-1] if refuting else None))
        return found


def history_of(logs: Iterable[LogEntry], standings: Mapping[str, Standing]) -> History:
    """The history that `logs` tell; `standings` are by the cases' names and aliases."""
    # An entry may name a case by two of its names.
    transitions = {
        (entry.name, standings[name].case.name, relation): (entry, standings[name], relation)
        for entry in logs
        for name, relation in entry.meta.cases.items()
    }
    events: list[Event] = []
    refuting: dict[str, Event] = {}
    for entry, standing, relation in sorted(transitions.values(), key=_moment, reverse=True):
        name = standing.case.name
        refutes = relation == "refutes"
        event = Event(entry, standing, relation, None if refutes else refuting.get(name))
        events.append(event)
        if refutes and not event.bounded:
            refuting[name] = event
    return History(tuple(reversed(events)))


def _grouped(events: Iterable[Event]) -> list[Group]:
    return [Group(list(same)) for _, same in groupby(sorted(events, key=_weight), _weight)]


def _moment(transition: tuple[LogEntry, Standing, Relation]) -> tuple[object, ...]:
    """The sort key of a transition by time; a day may refute what it introduced."""
    entry, standing, relation = transition
    return entry.meta.date, list(WORDS).index(relation), entry.name, standing.case.name


def _weight(event: Event) -> tuple[int, bool, str]:
    return -list(WORDS).index(event.relation), event.bounded, event.subject
