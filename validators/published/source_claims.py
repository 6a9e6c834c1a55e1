"""What evidence says of the claims that our source documents make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from validators.catalog.sources import REASONS, Source, SourceClaim
from validators.evidence.words import STATES, State
from validators.published.standing import Standing

OUTCOMES = {
    state.key: state
    for state in (
        State("confirmed", "✓", "confirmed", "every case that the claim rests on is confirmed"),
        State(
            "refuted",
            "✗",
            "refuted",
            "all cases that contradict the claim are confirmed, or one that it rests on is refuted",
        ),
        State("undecided", "?", "undecided", "its cases have not been decided where it matters"),
        State("rebuilt", "⚒", "rebuilt", "the program is not public; ours does what it describes"),
        State("undecidable", "∅", "undecidable", "no program here decides it; the page says why"),
    )
}


@dataclass(frozen=True)
class Judged:
    """A claim of a source document, the cases that decide it, and the outcome."""

    source: Source
    number: int
    claim: SourceClaim
    deciders: tuple[Standing, ...]

    @property
    def outcome(self) -> State:
        """Computed from the cases; nobody types it."""
        if self.claim.undecidable:
            return OUTCOMES["undecidable"]
        if self.claim.rebuilt_by:
            return OUTCOMES["rebuilt"]
        found = [stands(it, self.claim.device) for it in self.deciders]
        if all(found):
            return OUTCOMES["confirmed" if self.claim.supported_by else "refuted"]
        if self.claim.supported_by and False in found:
            return OUTCOMES["refuted"]
        return OUTCOMES["undecided"]

    @property
    def reason(self) -> str:
        """Why no case decides it, in a few words; "" where one does."""
        return REASONS[self.claim.undecidable] if self.claim.undecidable else ""

    @property
    def lines(self) -> str:
        """The lines on which the document makes it, such as "28, 34-36"."""
        return ", ".join(str(at) for at in self.claim.at)


def stands(standing: Standing, device: str = "") -> bool | None:
    """Whether a case is confirmed, on `device` if one is given.

    None if nothing decides it, or if it is confirmed in one environment and fails in another where
    its page expects it to hold. It may fail where its page does not expect it to hold.
    """
    unexplained = [c for c in standing.cells if c.state.key == "unexplained"]
    ran = [*standing.decided, *unexplained]
    cells = [c for c in ran if device in ("", c.column.device) and c.column.device != "compiled"]
    confirmed = any(cell.state is STATES["confirmed"] for cell in cells)
    failed = any(cell.surprising for cell in cells)
    return None if confirmed == failed else confirmed


def judge(source: Source, standings: Mapping[str, Standing]) -> list[Judged]:
    """Each claim of `source`, in its order; `standings` are by the cases' names and aliases."""
    return [
        Judged(source, number, claim, tuple(standings[name] for name in claim.cases))
        for number, claim in enumerate(source.fields.entries, 1)
    ]


def totals(judged: Iterable[Judged]) -> dict[str, int]:
    """How many claims have each outcome; outcomes without claims are there, too."""
    counts = Counter(it.outcome.key for it in judged)
    return {key: counts[key] for key in OUTCOMES}
