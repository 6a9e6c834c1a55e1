"""Where a case is decided and how, in words that no release contradicts."""

from __future__ import annotations

from typing import Any

import pytest

from validators.catalog import Case, load_catalog
from validators.evidence.ranges import ranges
from validators.evidence.words import effect_of

RELEASES = ["2.9.1", "2.10.0", "2.11.0", "2.12.1", "2.13.0"]
STATES = {
    "c": "confirmed",
    "f": "remedy-failed",
    "l": "unremedied",
    "r": "refuted",
    "u": "unexplained",
    "t": "unshown",
    "-": "lacks",
}


@pytest.fixture
def case_of(tmp_path: Any, write_case: Any) -> Any:
    """A function that writes a case and reads it."""

    def make(**fields: Any) -> Case:
        write_case(tmp_path, "guards", "one", **fields)
        return load_catalog(tmp_path).by_name["one"]

    return make


def told(case: Case, letters: str, on: str = "cpu") -> str:
    """The ranges of a case that has these states, `.` for none."""
    pairs = zip(RELEASES, letters, strict=True)
    states: Any = {f"torch-{it}-{on}": STATES[letter] for it, letter in pairs if letter != "."}
    return ranges(case, states, RELEASES)


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ("ccccc", "affects torch 2.9.1 to 2.13.0 (CPU)"),
        ("cc.cc", "affects torch 2.9.1, 2.10.0, 2.12.1 and 2.13.0 (CPU)"),
        ("cccrr", "affects torch 2.9.1 to 2.11.0 (CPU); fixed since torch 2.12.1 (CPU)"),
        ("cc.rr", "affects torch 2.9.1 and 2.10.0 (CPU); fixed by torch 2.12.1 (CPU)"),
        (
            "cctrr",
            "affects torch 2.9.1 and 2.10.0 (CPU); fixed by torch 2.12.1 (CPU); not shown on "
            "torch 2.11.0 (CPU)",
        ),
        (
            "ccrtr",
            "affects torch 2.9.1 and 2.10.0 (CPU); fixed in torch 2.11.0 and 2.13.0 (CPU); not "
            "shown on torch 2.12.1 (CPU)",
        ),
        (
            "crccc",
            "affects torch 2.9.1 and 2.11.0 to 2.13.0 (CPU); fixed in torch 2.10.0 (CPU)",
        ),
        (
            "rrccr",
            "affects torch 2.11.0 and 2.12.1 (CPU); fixed since torch 2.13.0 (CPU); does not "
            "affect torch 2.9.1 and 2.10.0 (CPU)",
        ),
        (
            "uuccc",
            "affects torch 2.11.0 to 2.13.0 (CPU); not shown on torch 2.9.1 and 2.10.0 (CPU)",
        ),
        ("rrrrr", "not shown on torch 2.9.1 to 2.13.0 (CPU)"),
        (
            "-lffc",
            "affects torch 2.13.0 (CPU); fix fails on torch 2.11.0 and 2.12.1 (CPU); affects, fix "
            "not tried on torch 2.10.0 (CPU); cannot run on torch 2.9.1 (CPU)",
        ),
    ],
)
def test_a_limitation(case_of: Any, letters: str, said: str) -> None:
    """No range spans another state or a release that nobody ran."""
    assert told(case_of(devices=["cpu"]), letters) == said


def test_good_news_has_words_of_its_own(case_of: Any) -> None:
    """A practice helps, a belief is false; neither is fixed."""
    practice = case_of(devices=["cpu"], kind="practice")
    assert told(practice, "uccrf") == (
        "works on torch 2.10.0 and 2.11.0 (CPU); does not help on torch 2.13.0 (CPU); makes no "
        "difference on torch 2.12.1 (CPU); not shown on torch 2.9.1 (CPU)"
    )
    belief = case_of(devices=["cpu"], kind="retraction", believed="It works.")
    assert told(belief, "cc..r") == (
        "belief false on torch 2.9.1 and 2.10.0 (CPU); belief true on torch 2.13.0 (CPU)"
    )


def test_each_device_is_told_of(case_of: Any) -> None:
    """What was only compiled comes last, and is provisional."""
    case = case_of(devices=["cpu", "cuda"], compiled="tracing")
    states: Any = {
        "torch-2.13.0-sm90-compiled": "confirmed",
        "torch-2.11.0-h100": "refuted",
        "torch-2.11.0-cpu": "confirmed",
    }
    assert ranges(case, states) == (
        "affects torch 2.11.0 (CPU); not shown on torch 2.11.0 (H100); compiled for sm_90, never "
        "run: provisionally affects torch 2.13.0"
    )
    assert told(case, "ccc..").endswith("(CPU); undecided on a GPU")


def test_states_with_the_same_words_are_told_together(case_of: Any) -> None:
    """Of one device, too."""
    case = case_of(devices=["cpu"])
    states: Any = {
        "torch-2.9.1-cpu": "unexplained",
        "torch-2.11.0-cpu": "unshown",
        "torch-2.13.0-cpu": "confirmed",
    }
    assert ranges(case, states) == (
        "affects torch 2.13.0 (CPU); not shown on torch 2.9.1 and 2.11.0 (CPU)"
    )


def test_each_state_has_words() -> None:
    """One that a table lacks is one that nobody tried."""
    assert effect_of("limitation", "refuted").words == "not shown on"
    untried = effect_of("limitation", "undecided")
    assert untried == effect_of("practice", "differs")
    assert untried.words == "not tried on"
