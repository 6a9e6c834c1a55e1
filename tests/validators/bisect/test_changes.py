"""Changes of verdicts along the releases, and the releases to ask next."""

from __future__ import annotations

import pytest

from validators.bisect import changes, to_ask

RELEASES = ["2.5.1", "2.6.0", "2.9.1", "2.10.0", "2.11.0"]


def found(**states: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Where the verdict changed, and what nobody tried between; v2_5_1 is the release 2.5.1."""
    known = {name[1:].replace("_", "."): state for name, state in states.items()}
    return [(it.until, it.since, it.untried) for it in changes("a", known, RELEASES)]


def test_a_change_names_the_releases_around_it() -> None:
    """In the order of versions, where 2.10 comes after 2.9; each with what lies between."""
    assert found(v2_11_0="refuted", v2_5_1="confirmed") == [
        ("2.5.1", "2.11.0", ("2.6.0", "2.9.1", "2.10.0"))
    ]
    assert found(v2_9_1="confirmed", v2_10_0="refuted") == [("2.9.1", "2.10.0", ())]
    twice = found(v2_5_1="confirmed", v2_6_0="refuted", v2_9_1="confirmed")
    assert [(until, since) for until, since, _ in twice] == [("2.5.1", "2.6.0"), ("2.6.0", "2.9.1")]


@pytest.mark.parametrize("state", ["skipped", "error", "stale", "unstable", "na"])
def test_a_release_that_decided_nothing_is_not_asked_again(state: str) -> None:
    """It is not a change either; one that nobody tried is asked."""
    assert found(v2_9_1="confirmed", v2_10_0=state, v2_11_0="refuted") == [("2.9.1", "2.11.0", ())]
    assert found(v2_9_1="confirmed", v2_10_0="undecided", v2_11_0="refuted") == [
        ("2.9.1", "2.11.0", ("2.10.0",))
    ]


def test_no_change_no_question() -> None:
    """Releases between equal verdicts are left alone."""
    assert found(v2_5_1="confirmed", v2_11_0="confirmed", v2_9_1="skipped") == []


def test_the_middle_release_is_asked_for_all_cases_at_once() -> None:
    """By release, the oldest first; an exact change asks nothing."""
    far = [*changes("far", {"2.5.1": "confirmed", "2.11.0": "refuted"}, RELEASES)]
    near = [*changes("near", {"2.6.0": "confirmed", "2.10.0": "refuted"}, RELEASES)]
    last = [*changes("last", {"2.9.1": "confirmed", "2.11.0": "refuted"}, RELEASES)]
    exact = [*changes("exact", {"2.9.1": "confirmed", "2.10.0": "refuted"}, RELEASES)]
    assert to_ask([*last, *far, *exact, *near]) == {"2.9.1": ["far", "near"], "2.10.0": ["last"]}
    assert exact[0].sentence == "confirmed until 2.9.1, refuted from 2.10.0"
    assert last[0].sentence.endswith("refuted from 2.11.0; not tried on 2.10.0")
