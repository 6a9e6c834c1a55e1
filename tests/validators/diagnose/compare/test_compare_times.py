"""Intervals of ratios: they hold the truth, and they say nothing where there is little to say."""

from __future__ import annotations

import random

import pytest

from tests.validators.diagnose.measured import gain, seconds
from validators.diagnose.compare.times import (
    FEWEST,
    Interval,
    blocks,
    drift_of,
    ratio_of,
    speedup,
)


def test_blocks_are_medians_of_calls_in_a_row():
    """Whatever the number of calls, and one call each if there are few."""
    assert blocks([3.0, 1.0, 2.0]) == [3.0, 1.0, 2.0]
    found = blocks([float(it) for it in range(601)])
    assert len(found) == 60
    assert found == sorted(found)
    assert found[0] == 4.5


def test_an_interval_holds_the_true_ratio():
    """In nearly all of many measurements of calls that disturb their neighbours."""
    held = 0
    for seed in range(30):
        one, other = _disturbed(0.0110, seed), _disturbed(0.0100, 1000 + seed)
        found = ratio_of(blocks(one), blocks(other))
        held += found.low <= 1.1 <= found.high
    assert held >= 26


def test_equal_programs_are_seldom_told_apart():
    """A difference of 5 % is not found where there is none."""
    for seed in range(20):
        one, other = _disturbed(0.01, seed), _disturbed(0.01, 1000 + seed)
        found = ratio_of(blocks(one), blocks(other))
        assert found.side(1.05) != 1
        assert found.side(1 / 1.05) != -1


def test_the_same_input_gives_the_same_interval():
    """The draws are seeded."""
    assert speedup(gain(1.2)["seconds"]) == speedup(gain(1.2)["seconds"])


def test_few_calls_give_no_interval():
    """Neither for a ratio nor for a trend, which needs three times as many."""
    few, enough = [1.0] * (FEWEST - 1), [1.0] * FEWEST
    assert ratio_of(few, enough) is None
    assert ratio_of(enough, enough) == Interval(1.0, 1.0, 1.0)
    assert drift_of(enough * 2) is None
    assert drift_of(enough * 3) == Interval(1.0, 1.0, 1.0)


def test_a_trend_is_found_in_later_calls():
    """By thirds, so that one slow call is no trend."""
    found = drift_of(blocks(seconds(0.01, drift=0.3)))
    assert found.low > 1.1
    steady = seconds(0.01)
    steady[-1] *= 100
    assert drift_of(blocks(steady)).high < 1.02


def test_noise_of_eager_calls_widens_the_interval():
    """If eager calls differ from eager calls, a gain of that size says nothing."""
    found = gain(1.1)["seconds"]
    assert speedup(found).low > 1.05
    noisy = {**found, "again": [it * 1.15 for it in found["again"]]}
    assert speedup(noisy).low < 1 < speedup(noisy).high


@pytest.mark.parametrize(("low", "high", "side"), [(1.06, 1.2, 1), (0.9, 1.04, -1), (1.0, 1.1, 0)])
def test_an_interval_that_holds_the_threshold_decides_nothing(low, high, side):
    """Only one that lies on one side of it."""
    assert Interval(1.05, low, high).side(1.05) == side


def _disturbed(base: float, seed: int) -> list[float]:
    """Times in which a disturbance lasts for several calls."""
    chance, state, found = random.Random(seed), 0.0, []
    for _ in range(600):
        state = 0.8 * state + chance.gauss(0, 0.01)
        found.append(base * (1 + state))
    return found
