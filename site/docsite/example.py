"""A page's example for readers: what the fix changes, and what both programs did."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher

from docsite.collected import collected
from docsite.status import STATES, State
from validators.catalog import Case
from validators.catalog.example import Example
from validators.evidence.columns import in_order
from validators.evidence.examples import CaseExamples, ExampleRun, example_digest, shown

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
    """Both programs, the numbers of the lines that differ, the outcomes, and a note on them."""

    example: Example
    changed_before: Collection[int]
    changed_after: Collection[int]
    seen: tuple[Seen, ...]
    note: str

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
    before, after = (side.code.split("\n") for side in (example.before, example.after))
    changed_before: list[int] = []
    changed_after: list[int] = []
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            changed_before += range(i + 1, j + 1)
            changed_after += range(k + 1, m + 1)
    why = case.meta.sides_differ
    note = f"Without compiling, the two compute different things: {why}" if why else ""
    return View(example, changed_before, changed_after, tuple(_seen(case, runs)), note)


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
