"""Where the verdict of a case changes along the releases, and which releases would tell more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from validators.verdicts import DECIDED, Verdict
from validators.versions import version_of

if TYPE_CHECKING:
    from validators.evidence.status import State


class Change(Struct, frozen=True):
    """Two releases that decided a case differently, with none between them that decided it.

    `untried` are the releases between them that nobody has tried. Without any, the change happened
    from `until` to `since`.
    """

    case: str
    until: str
    before: Verdict
    since: str
    after: Verdict
    untried: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What is known of the change."""
        known = f"{self.before} until {self.until}, {self.after} from {self.since}"
        return f"{known}; not tried on {', '.join(self.untried)}" if self.untried else known


def changes(case: str, states: Mapping[str, State], releases: Iterable[str]) -> Iterator[Change]:
    """The changes of a case, oldest first; `states` is its state on each release that has one."""
    decided = {it: state for it, state in states.items() if state in DECIDED}
    for until, since in pairwise(sorted(decided, key=version_of)):
        before, after = decided[until], decided[since]
        if before != after:
            between = _between(until, since, releases)
            untried = tuple(it for it in between if states.get(it, "undecided") == "undecided")
            yield Change(case, until, before, since, after, untried)


def to_ask(
    found: Iterable[Change], refused: Container[tuple[str, str]] = ()
) -> dict[str, list[str]]:
    """The cases by the release that halves what is open of their changes, oldest release first.

    `refused` are releases and cases that were asked in vain.
    """
    asked: dict[str, list[str]] = defaultdict(list)
    for change in found:
        if left := [it for it in change.untried if (it, change.case) not in refused]:
            asked[left[len(left) // 2]].append(change.case)
    return {release: asked[release] for release in sorted(asked, key=version_of)}


def _between(until: str, since: str, releases: Iterable[str]) -> Sequence[str]:
    inside = (it for it in releases if version_of(until) < version_of(it) < version_of(since))
    return sorted(inside, key=version_of)
