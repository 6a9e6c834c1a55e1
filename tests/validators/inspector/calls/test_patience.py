"""Rounds of work that must fit a time limit."""

from __future__ import annotations

import time

import pytest

from validators.inspector.calls.patience import Patience


@pytest.mark.parametrize(
    ("seconds", "rounds", "lasts"),
    [
        (100, [10], True),
        (100, [40], False),
        (100, [20, 20, 20], False),
        (100, [60, 1], False),
        (0, [10**6], True),
    ],
)
def test_another_round_is_planned_by_the_longest(monkeypatch, seconds, rounds, lasts):
    """Only if it is likely to end in time, with some to spare."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    patience = Patience(seconds)
    for took in rounds:
        now[0] += took
        found = patience.lasts()
    assert found is lasts
