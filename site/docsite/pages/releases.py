"""What changes between releases of torch: an index, and a page for each upgrade."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from docsite.content import Content
from docsite.effect import here, short
from docsite.page import HOME, RELEASES, Page
from validators.evidence.stored.examples import example_digest, shown
from validators.published.history import Event
from validators.published.standing import Standing
from validators.verdicts import DECIDED

_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Change:
    """A case that means something else on the later release, and the entry that tells of it."""

    standing: Standing
    event: Event | None


@dataclass(frozen=True)
class Reworded:
    """A case for which torch prints another line on the later release."""

    standing: Standing
    before: str
    after: str


@dataclass
class Upgrade:
    """What changes from the release `old` to `new`; `untried` cases are decided on one only."""

    old: str
    new: str
    fixed: list[Change] = field(default_factory=list)
    broke: list[Change] = field(default_factory=list)
    fix_fails: list[Change] = field(default_factory=list)
    fix_works: list[Change] = field(default_factory=list)
    advice: list[Change] = field(default_factory=list)
    reworded: list[Reworded] = field(default_factory=list)
    compared: int = 0
    untried: int = 0

    @property
    def title(self) -> str:
        """Such as "torch 2.13 → 2.15"."""
        return f"torch {short(self.old)} → {short(self.new)}"

    @property
    def path(self) -> str:
        """The site path of the upgrade's page."""
        return f"releases/{self.old}-{self.new}/index.html"

    @property
    def counts(self) -> str:
        """How much changes, in words."""
        named = (
            (len(self.fixed), "fixed", "fixed"),
            (len(self.broke), "new", "new"),
            (len(self.fix_fails), "fix that fails now", "fixes that fail now"),
            (len(self.fix_works), "fix that works now", "fixes that work now"),
            (len(self.advice), "piece of advice that changes", "pieces of advice that change"),
            (len(self.reworded), "line of logs in other words", "lines of logs in other words"),
        )
        said = (f"{many} {one if many == 1 else more}" for many, one, more in named if many)
        return ", ".join(said) or "no change"

    @property
    def checks(self) -> list[str]:
        """What to do before the upgrade, from what broke and what logs say."""
        cases = [it.standing.case for it in (*self.broke, *self.fix_fails)]
        ends = ["" if it.title.endswith((".", "!", "?")) else "." for it in cases]
        found = [f"{it.title}{end} {it.fix}".strip() for it, end in zip(cases, ends, strict=True)]
        if lines := len(self.reworded):
            found.append(f"Adapt filters and tests that look for log lines: {lines} changed.")
        return found


def upgrades(content: Content) -> list[Upgrade]:
    """The upgrades from each release to the next, newest first, then the widest one.

    The widest begins at the first release that decides more than half of the live claims.
    """
    releases = content.ran.get("cpu", [])
    live = sum(not it.case.retired for it in content.standings.values())
    well = [it for it in releases if 2 * _decided(content, it) > live]
    pairs = [*pairwise(releases)][::-1]
    if len(well) > 2:
        pairs.append((well[0], well[-1]))
    return [_upgrade(content, old, new) for old, new in pairs]


def release_pages(content: Content, found: list[Upgrade]) -> Iterator[Page]:
    """The index and a page for each upgrade; none if fewer than two releases have records."""
    if not found:
        return
    about = "What got fixed, what broke and what logs say differently, from release to release."
    title, model = "What changes between releases", {"upgrades": found}
    yield Page(RELEASES[1], title, "releases", model, (HOME,), about)
    for it in found:
        about = f"Before you upgrade from torch {short(it.old)} to {short(it.new)}: {it.counts}."
        yield Page(it.path, it.title, "release", {"upgrade": it}, (HOME, RELEASES), about)


def _decided(content: Content, release: str) -> int:
    return sum(_state(it, release) in DECIDED for it in content.standings.values())


def _state(standing: Standing, release: str) -> str:
    view = here(standing)
    if view.retired:
        return ""
    state = view.states["cpu"][view.releases.index(release)]
    # What shows on the newer release alone is news, whether anybody knows its cause or not.
    return "refuted" if state == "unexplained" else state


def _upgrade(content: Content, old: str, new: str) -> Upgrade:
    made = Upgrade(old, new)
    for standing in content.standings.values():
        before, after = _state(standing, old), _state(standing, new)
        decided = (before in DECIDED) + (after in DECIDED)
        made.compared += decided == 2
        made.untried += decided == 1
        if decided == 2 and before != after:
            change = Change(standing, _told(content, standing, new))
            _list_for(made, standing, before, after).append(change)
        lines = _lines(content, standing, old, new)
        if lines and _NUMBER.sub("", lines[0]) != _NUMBER.sub("", lines[1]):
            made.reworded.append(Reworded(standing, *lines))
    return made


def _list_for(made: Upgrade, standing: Standing, before: str, after: str) -> list[Change]:
    if standing.case.meta.kind != "limitation":
        return made.advice
    if after == "refuted":
        return made.fixed
    if before == "refuted":
        return made.broke
    return made.fix_fails if after == "remedy-failed" else made.fix_works


def _told(content: Content, standing: Standing, new: str) -> Event | None:
    """The newest entry whose evidence about the case is of the release."""
    events = content.history.by_case.get(standing.case.name, [])
    of_release = (
        event
        for event in reversed(events)
        if any(cell.column.torch == new for cells in event.verdicts for cell in cells)
    )
    return next(of_release, None)


def _lines(content: Content, standing: Standing, old: str, new: str) -> tuple[str, str] | None:
    """What the case's example prints on both releases; None unless it shows the same on both."""
    runs = content.examples.get(standing.case.name)
    if runs is None or standing.case.example is None:
        return None
    digest = example_digest(standing.case)
    found = [runs.columns.get(f"torch-{release}-cpu") for release in (old, new)]
    said = [it.line for it in found if it and it.digest == digest and it.verdict == "confirmed"]
    return (shown(said[0]), shown(said[1])) if len(said) == 2 else None
