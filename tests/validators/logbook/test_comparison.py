"""What of two reports counts as changed, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from validators.logbook.comparison import differ, figures_of


def changes(one: dict[str, Any], other: dict[str, Any], *, timed: bool = False) -> list[str]:
    """The paths at which two reports differ."""
    was, now = figures_of(one), figures_of(other)
    return [path for path in {**was, **now} if differ(was.get(path), now.get(path), timed=timed)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"graphs": [{}, {}]}, {"graphs": [{}]}),
        ({"ops": 3}, {"ops": 4}),
        ({"recompile_limit_hit": False}, {"recompile_limit_hit": True}),
        ({"cudagraphs": None}, {"cudagraphs": {"skips": [], "replays": 2}}),
        ({"exception": {"type": "KeyError"}}, {"exception": {"type": "TypeError"}}),
        ({"facts": {"place": True}}, {"facts": {"place.exception": "AttributeError"}}),
        ({"facts": {"of_eager": 1.04}}, {"facts": {"of_eager": 1.11}}),
        ({"facts": {"loss": 1.5}}, {"facts": {"loss": "nan"}}),
    ],
)
def test_what_is_counted_is_compared_exactly(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Lists by their length, flags and names as they are, fractions beyond rounding."""
    assert changes(one, other)
    assert not changes(one, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"times": {"compile": [1.0]}}, {"times": {"compile": [9.0, 1.0]}}),
        ({"memory": {"peak": 1}}, {"memory": {"peak": 2}}),
        ({"observation": 0}, {"observation": 1}),
        ({"facts": {"x.message": "kernel c3zr"}}, {"facts": {"x.message": "kernel d4qs"}}),
        ({"exception": {"message": "a.py:1"}}, {"exception": {"message": "a.py:2"}}),
        ({"facts": {"loss": -10.801944}}, {"facts": {"loss": -10.801948}}),
    ],
)
def test_what_differs_between_runs_is_not(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Durations of compilations, memory, places in messages, the order of additions."""
    assert not changes(one, other)


def test_a_case_that_measures_time_is_compared_by_its_counts() -> None:
    """Its fractions are seconds or their ratios."""
    one, other = {"facts": {"gain": 2.0, "calls": 3}}, {"facts": {"gain": 9.0, "calls": 4}}
    assert changes(one, other, timed=True) == ["facts.calls"]
