"""What a case means to a reader, release by release: affected or not, and fixed since when."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache

from docsite.matrix import DEVICES, releases_of, state_of
from validators.catalog.frontmatter import Kind
from validators.collected import collected
from validators.evidence.ranges import before_or_after
from validators.evidence.status import SHOWN
from validators.evidence.words import KINDS, STATES, Effect, effect_of
from validators.published.standing import Cell, Standing
from validators.verdicts import DECIDED

_COMPILED = Effect("none", "◌", "only")
LETTERS = dict(zip(STATES, string.ascii_lowercase, strict=False))
"""A letter for each state, for the codes that pages hold of cases."""


def with_counts(letters: str) -> str:
    """The letters with counts in place of runs, "aaab" as "a3b"."""
    return re.sub(r"(.)\1\1+", lambda run: f"{run[1]}{len(run[0])}", letters)


FIXED, CLEAR = (effect_of("limitation", it) for it in ("fixed", "clear"))


def words() -> dict[str, dict[str, tuple[str, ...]]]:
    """Tone, symbol and words by kind and a state's letter, as scripts read them."""
    return {
        kind: {LETTERS[state]: astuple(effect_of(kind, state)) for state in STATES}
        for kind in KINDS
    }


def short(release: str) -> str:
    """A release as people say it: 2.13 for 2.13.0, but 2.9.1."""
    return release.removesuffix(".0") if release.count(".") == 2 else release


@dataclass(frozen=True)
class Here:
    """What is known of a case, release by release, in a form that a page can hold.

    `releases` are those of all columns, oldest first; `states` has for each device the state of the
    case on each of them. `compiled` says what only compiling for a GPU decided.
    """

    kind: Kind
    releases: list[str]
    states: dict[str, list[str]]
    retired: bool = False
    compiled: str = ""

    @property
    def device(self) -> str:
        """The device that counts: the CPU, if the claim has a meaning there."""
        return "cuda" if all(it == "na" for it in self.states["cpu"]) else "cpu"

    @property
    def each(self) -> list[tuple[Effect, str]]:
        """The news on each release, oldest first."""
        return [self.on(release) for release in self.releases]

    @property
    def signs(self) -> list[tuple[str, list[tuple[str, Effect, str]]]]:
        """Newest release, news and its words on the device that counts, then on GPUs that ran it.

        Of releases that have not tried it nothing is said.
        """
        states = dict(zip(self.releases, self.states[self.device], strict=True))
        tried = [it for it in reversed(states) if states[it] != "undecided"]
        found = [("", [(short(it), *self.on(it)) for it in tried])] if tried else []
        ran = zip(self.releases, self.states["cuda"], strict=True)
        on_gpu = [it for it, state in ran if state in DECIDED][::-1]
        if self.device == "cpu" and on_gpu:
            found.append(("GPU", [(short(it), *self.on(it, "cuda")) for it in on_gpu]))
        return found

    @property
    def code(self) -> str:
        """A letter for each release, the CPU's before the GPU's."""
        if self.retired:
            return LETTERS["retired"]
        return "".join(LETTERS[it] for device in DEVICES for it in self.states[device])

    def on(self, release: str, device: str = "") -> tuple[Effect, str]:
        """The news on a release, and its words; on the device that counts if none is named."""
        if self.retired:
            return effect_of(self.kind, "retired"), "retired"
        device = "cuda" if device == "cuda" else self.device
        states, at = self.states[device], self.releases.index(release)
        found = effect_of(self.kind, states[at])
        if states[at] == "na":
            return found, f"{found.words} {'GPU' if device == 'cuda' else 'CPU'}s"
        if fixed := self._fixed(states, at):
            return FIXED, f"{FIXED.words} {short(fixed)}"
        if self._refuted(states, at) == "clear":
            found = CLEAR
        said = f"{found.words} {short(release)}{_GPU[device]}"
        if self.kind == "limitation" and states[at] in SHOWN:
            later = range(at + 1, len(states))
            again = next((it for it in later if self._fixed(states, it)), None)
            said += f", {FIXED.words} {short(self.releases[again])}" if again else ""
        return found, said

    def _fixed(self, states: Sequence[str], at: int) -> str:
        """The release that a limitation was fixed in, if it is so at `at`; "" if not."""
        if self._refuted(states, at) != "fixed":
            return ""
        before = [it for it in range(at) if states[it] in SHOWN]
        first = next(it for it in range(before[-1] + 1, at + 1) if states[it] == "refuted")
        return self.releases[first]

    def _refuted(self, states: Sequence[str], at: int) -> str:
        """What *refuted* at `at` means; "" of other states, and of what is no limitation."""
        refuted = self.kind == "limitation" and states[at] == "refuted"
        return before_or_after(states, at) if refuted else ""

    @property
    def newest(self) -> tuple[Effect, str]:
        """The news on the newest release that decides the case."""
        if self.retired:
            return self.on("")
        for device in DEVICES:
            states = zip(self.releases, self.states[device], strict=True)
            if decided := [release for release, state in states if state in DECIDED]:
                return self.on(decided[-1], device)
        if self.compiled:
            return _COMPILED, f"only {self.compiled}"
        untried = effect_of("limitation", "undecided")
        return untried, untried.brief


_GPU = {"cpu": "", "cuda": " (GPU)"}


def unrun_on(standing: Standing) -> str:
    """The devices on which a case that is decided elsewhere has not run, "" for none."""
    return " and ".join(it.upper() for it in standing.open_devices) if standing.decided else ""


@cache
def here(standing: Standing) -> Here:
    """What is known of a case, release by release; a verdict counts most where GPUs differ."""
    case = standing.case
    known: dict[tuple[str, str], list[Cell]] = collected(
        ((it.column.device, it.column.torch), it) for it in standing.cells
    )
    releases = releases_of([cell.column for cell in standing.cells])
    states = {
        device: [
            state_of(known.get((device, it), []), device in case.meta.devices) for it in releases
        ]
        for device in DEVICES
    }
    compiled = next((cell.column.on for cell in standing.compiled), "")
    return Here(case.meta.kind, releases, states, bool(case.retired), compiled)
