"""Turns that are timed: how many, and after which warm-up."""

from __future__ import annotations

import pytest

from validators.inspector.calls import turns


@pytest.fixture
def clock(monkeypatch):
    """A clock that only turns move."""
    now = [0.0]
    monkeypatch.setattr(turns.time, "perf_counter", lambda: now[0])
    return now


def taking(clock, seconds, names=("eager", "again")):
    """Turns that take so many seconds each, and the list of those that were taken."""
    taken = []

    def turn(name):
        clock[0] += seconds
        taken.append(name)
        return seconds

    return {name: lambda name=name: turn(name) for name in names}, taken


def test_slow_turns_that_an_interval_needs_are_withheld_at_once(clock):
    """What is said to be undecided takes no seconds."""
    slow, taken = taking(clock, 2.0)
    found = turns.measured(slow, 0, fewest=10)
    assert found == {
        "withheld": "an interval needs 10 turns, and each takes 4.0 s; --steps 10 takes them"
    }
    assert taken == ["eager", "again"]


@pytest.mark.parametrize(("steps", "fewest", "expected"), [(0, 5, 5), (7, 10, 7)])
def test_slow_turns_are_taken_where_few_do_or_somebody_asks(clock, steps, fewest, expected):
    """A comparison of ranges needs no ten of them."""
    slow, _ = taking(clock, 2.0)
    assert len(turns.measured(slow, steps, fewest)["seconds"]["again"]) == expected


def test_turns_that_are_quick_enough_suffice_for_an_interval(clock):
    """Ten of them take more than the usual four seconds."""
    some, _ = taking(clock, 0.3)
    assert len(turns.measured(some, 0, fewest=10)["seconds"]["again"]) == 10


def test_a_turn_is_warm_if_it_compiles_nothing(monkeypatch, clock):
    """Eager code needs one warm-up, code that compiles once two."""
    graphs = [0]
    monkeypatch.setattr(turns, "graphs_compiled", lambda: graphs[0])
    some, taken = taking(clock, 1.0)
    real = some["again"]

    def compiling():
        graphs[0] += "again" not in taken
        return real()

    turns.measured({**some, "again": compiling}, 1)
    assert taken == ["eager", "again", "again", "eager", "again"]
