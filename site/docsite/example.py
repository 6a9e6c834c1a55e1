"""A page's example for readers: what the fix changes, and what both programs did."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from validators.catalog import Case
from validators.catalog.example import Example
from validators.collected import collected
from validators.environment.column_name import release_of, span
from validators.evidence.columns import in_order
from validators.evidence.stored.examples import CaseExamples, ExampleRun, example_digest, shown
from validators.evidence.words import STATES, State

_SAID = {
    "confirmed": "before shows `{}`; after does not, and computes what eager mode computes",
    "refuted": "before does not show it",
    "remedy-failed": "before shows `{}`, and after does not fix it",
}


@dataclass(frozen=True)
class Seen:
    """The outcome of an example on some releases."""

    state: State
    releases: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class View:
    """Both programs, the numbers of the lines that differ, the outcomes, and a note on them.

    `recorded` are the releases of all runs, of those as well that tell nothing of these programs.
    """

    example: Example
    changed_before: Collection[int]
    changed_after: Collection[int]
    seen: tuple[Seen, ...]
    note: str
    recorded: tuple[str, ...]

    @property
    def lines(self) -> str:
        """Both programs as one, with the signs of a diff."""
        return "\n".join((sign + line).rstrip() for sign, line in self.example.lines)

    @property
    def ran(self) -> Iterator[tuple[str, str]]:
        """The word of each outcome, with its releases."""
        words = collected((it.state.word, release) for it in self.seen for release in it.releases)
        yield from ((word, span(releases, self.recorded)) for word, releases in words.items())

    @property
    def characters(self) -> int:
        """The length of the longest line, which decides whether both fit side by side."""
        sides = (self.example.before, self.example.after)
        return max(len(line) for side in sides for line in side.code.split("\n"))


def view_of(case: Case, runs: CaseExamples | None) -> View | None:
    """The example of `case` with the runs of it as it stands; None where it has none."""
    example = case.example
    if example is None:
        return None
    before, after = (_changed(example, sign) for sign in "-+")
    why = case.meta.sides_differ
    note = f"Without compiling, the two compute different things: {why}" if why else ""
    recorded = tuple(map(release_of, runs.columns if runs else ()))
    return View(example, before, after, tuple(_seen(case, runs)), note, recorded)


def _changed(example: Example, sign: str) -> list[int]:
    """The numbers of the lines of one program, "-" or "+", that the other lacks."""
    mine = (at for at, _ in example.lines if at in (" ", sign))
    return [number for number, at in enumerate(mine, 1) if at == sign]


def _seen(case: Case, runs: CaseExamples | None) -> list[Seen]:
    """The outcomes of the example, each with its releases, newest first."""
    current = example_digest(case)
    columns = runs.columns if runs else {}
    known = [(columns[it.name], it.torch) for it in in_order(columns)]
    releases = collected(
        ((run.verdict, _sentence(run)), torch)
        for run, torch in known
        if run.digest == current and run.verdict in _SAID
    )
    return [
        Seen(STATES[verdict], tuple(found), sentence)
        for (verdict, sentence), found in reversed(releases.items())
    ]


def _sentence(run: ExampleRun) -> str:
    if run.verdict == "refuted" and not run.absent:
        return run.reason
    return _SAID[run.verdict].format(shown(run.line))
