"""States in words and signs: the one table that the site, commands, skills and data show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from validators.catalog.frontmatter import Kind

Tone = Literal["bad", "good", "info", "warn", "none"]


@dataclass(frozen=True)
class State:
    """A state as readers see it: a symbol and a word, never colour alone."""

    key: str
    symbol: str
    word: str
    meaning: str


STATES = {
    state.key: state
    for state in (
        State("confirmed", "✓", "confirmed", "the symptom showed and the remedy removed it"),
        State("refuted", "✗", "refuted", "the symptom's arm ran and did not show the symptom"),
        State("remedy-failed", "◐", "remedy failed", "the symptom shows with the remedy, too"),
        State("unstable", "≈", "unstable", "repeats of the same program disagreed"),
        State("skipped", "↷", "skipped", "the environment lacks something that the case needs"),
        State("error", "!", "error", "an arm broke, or the example contradicts the reproducer"),
        State("stale", "↻", "stale", "the case or its code changed after this was recorded"),
        State("undecided", "?", "undecided", "no program has decided it here"),
        State("na", "-", "not applicable", "the claim does not apply to this device"),
        State("differs", "⇄", "differs", "environments disagree"),
        State("retired", "⌂", "retired", "withdrawn or superseded; kept for its address"),
        State("lacks", "-", "not applicable", "the proof needs what this release of torch lacks"),
        State("compiled", "◌", "only compiled", "compiling for a GPU decided it; none ran it"),
        State(
            "unremedied", "◑", "fix not tried", "the symptom showed; its remedy needs a newer torch"
        ),
        State(
            "unshown", "±", "not shown", "the symptom met other trouble, or no second program ran"
        ),
        State(
            "unexplained",
            "○",
            "not shown",
            "not shown before the first release that shows it; no cause is named",
        ),
    )
}


@dataclass(frozen=True)
class Effect:
    """What a state means to a reader: a tone, a symbol, and words that go on with a release.

    A verdict is about a claim: *confirmed* is bad news of a limitation and good news of a practice.
    """

    tone: Tone
    symbol: str
    words: str

    @property
    def brief(self) -> str:
        """The words without a release to go on with."""
        return self.words.removesuffix(" on").removesuffix(" in")


_OF_KIND: dict[Kind, dict[str, Effect]] = {
    "limitation": {
        "confirmed": Effect("bad", "●", "affects"),
        "remedy-failed": Effect("bad", "◐", "fix fails on"),
        "unremedied": Effect("bad", "◑", "affects, fix not tried on"),
        "fixed since": Effect("good", "✓", "fixed since"),
        "fixed by": Effect("good", "✓", "fixed by"),
        "fixed": Effect("good", "✓", "fixed in"),
        # Some change is known to have brought it. One program that shows nothing is not enough.
        "clear": Effect("good", "○", "does not affect"),
        "refuted": Effect("none", "○", "not shown on"),
    },
    "practice": {
        "confirmed": Effect("info", "✓", "works on"),
        "remedy-failed": Effect("warn", "◐", "does not help on"),
        "unremedied": Effect("none", "◑", "not tried on"),
        "refuted": Effect("none", "○", "makes no difference on"),
    },
    "retraction": {
        "confirmed": Effect("info", "≠", "belief false on"),
        "remedy-failed": Effect("warn", "◐", "belief false, fix fails on"),
        "unremedied": Effect("info", "≠", "belief false, fix not tried on"),
        "refuted": Effect("warn", "=", "belief true on"),
    },
}
_UNTRIED = Effect("none", "?", "not tried on")
_OF_ALL = {
    "unexplained": Effect("none", "○", "not shown on"),
    "unshown": Effect("none", "±", "not shown on"),
    "unstable": Effect("warn", "≈", "unstable on"),
    "error": Effect("warn", "!", "broke on"),
    "skipped": _UNTRIED,
    "stale": Effect("none", "↻", "not run since its last change on"),
    "lacks": Effect("none", "-", "cannot run on"),
    "na": Effect("none", "-", "not about"),
    "retired": Effect("none", "⌂", "retired"),
}
KINDS = tuple(_OF_KIND)
IN_ORDER = (*_OF_KIND["limitation"], *_OF_ALL)
"""What is told of a case, in the order in which a sentence tells it."""


def effect_of(kind: Kind, state: str) -> Effect:
    """What the state of a case of this kind means.

    Beside states, a limitation has "fixed", and "clear" on releases before what brought it.
    """
    return _OF_KIND[kind].get(state) or _OF_ALL.get(state, _UNTRIED)
