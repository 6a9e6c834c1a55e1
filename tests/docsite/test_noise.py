"""What of two reports counts as changed, and what is noise."""

from __future__ import annotations

import random
from statistics import median
from typing import Any

import pytest
from docsite.noise import apart, changed, values
from hypothesis import given
from hypothesis import strategies as st

from validators.environment import Fingerprint
from validators.evidence import Record, Reports


def record(report: dict[str, Any], repeats: int = 3, **mark: str) -> Record:
    """A record whose symptom's arm gave `report`."""
    plain = {"device": "cpu", "accelerator": "", "driver": "", "processor": "Example CPU"} | mark
    rest = dict.fromkeys(("git", "cuda", "triton", "compiler", "os"), "")
    return Record(
        case="one",
        column="torch-2.13.0-cpu",
        verdict="confirmed",
        digest="0",
        modules=(),
        fingerprint=Fingerprint(torch="2.13.0", python="3.12.4", variables={}, **rest, **plain),
        isolation="fork",
        repeats=repeats,
        reports=Reports(report),
    )


def timed(gain: float, spread: float = 0.05, *, seed: int = 0, turns: int = 90) -> dict[str, Any]:
    """A report of `with_ratio`: the turns' times of all repeats, the first repeat's median."""
    rng = random.Random(seed)
    under = [1e-5 * rng.uniform(0.5, 2) for _ in range(turns)]
    ratios = [gain * rng.uniform(1 - spread, 1 + spread) for _ in range(turns)]
    over = [a * b for a, b in zip(under, ratios, strict=True)]
    first = median(a / b for a, b in zip(over[: turns // 3], under[: turns // 3], strict=True))
    return {"facts": {"gain": first}, "times": {"plain": over, "changed": under}}


def differs(one: Any, other: Any, path: str = "facts.gain", *, timed: bool = True) -> bool:
    """Whether two reports, or records, differ at `path`."""
    records = [it if isinstance(it, Record) else record(it) for it in (one, other)]
    return changed(path, "symptom", *records, timed=timed)


def test_a_gain_that_only_fell_differently_is_silent() -> None:
    """Other samples of the same thing, and a drift that repeated runs show, are no news."""
    assert not differs(timed(2.0, seed=1), timed(2.0, seed=2))
    assert not differs(timed(2.0, 0.01, seed=1), timed(2.15, 0.01, seed=2))


def test_a_gain_that_changed_is_told() -> None:
    """In both directions, with some samples beyond the other side's."""
    assert differs(timed(2.0, seed=1), timed(2.5, seed=2))
    assert differs(timed(2.5, 0.15, seed=1), timed(2.0, 0.15, seed=2))


def test_a_gain_whose_samples_overlap_is_silent() -> None:
    """However far the medians are apart."""
    assert not differs(timed(2.0, 0.6, seed=1), timed(2.5, 0.6, seed=2))


def test_a_lucky_sample_changes_nothing() -> None:
    """One turn that is a hundred times as slow does not move the middle half."""
    disturbed = timed(2.0, seed=2)
    disturbed["times"]["plain"][-1] *= 100
    assert not differs(timed(2.0, seed=1), disturbed)


def test_timed_numbers_without_samples_are_silent() -> None:
    """No median of the times, too few of them, or none at all."""
    bare = [{"facts": {"gain": value}} for value in (2.0, 9.0)]
    assert not differs(*bare)
    assert not differs(timed(2.0), timed(9.0) | bare[1] | {"times": {}})
    assert not differs(timed(2.0, 0.01, turns=3), timed(9.0, 0.01, turns=3))


def test_a_ratio_of_medians_has_the_turns_for_samples() -> None:
    """So `compare_steps` makes its gains."""

    def steps(gain: float) -> dict[str, Any]:
        rng = random.Random(gain)
        slow = [gain * rng.uniform(3.0, 3.1) for _ in range(30)]
        fast = [rng.uniform(3.0, 3.1) for _ in range(30)]
        seconds = {"eager": median(slow[:10]), "compiled": median(fast[:10])}
        gains = {"compiled": seconds["eager"] / seconds["compiled"]}
        times = {"eager": slow, "compiled": fast}
        return {"facts": {"gain": gains, "seconds": seconds}, "times": times}

    assert differs(steps(2.0), steps(3.0), "facts.gain.compiled")
    assert not differs(steps(2.0), steps(2.1), "facts.gain.compiled")
    gpu = {"device": "cuda", "accelerator": "H100", "driver": "580.1"}
    one, other = steps(2.0), steps(3.0)
    path = "facts.seconds.eager"
    assert differs(record(one, **gpu), record(other, **gpu), path)
    assert not differs(record(one, **gpu), record(other, **gpu | {"driver": "590.1"}), path)
    assert not differs(record(one), record(other), path)


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
    ],
)
def test_what_is_counted_is_compared_exactly(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Lists by their length, flags and names as they are, fractions beyond rounding."""
    paths = {**values(one), **values(other)}
    assert any(differs(one, other, path, timed=False) for path in paths)
    assert not any(differs(one, one, path, timed=False) for path in paths)


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
    paths = {**values(one), **values(other)}
    assert not any(differs(one, other, path, timed=False) for path in paths)


@given(st.lists(st.floats(0.97, 1.03), min_size=5), st.lists(st.floats(0.97, 1.03), min_size=5))
def test_no_drift_of_repeated_runs_is_ever_news(one: list[float], other: list[float]) -> None:
    """Whatever the samples are."""
    assert not apart(one, other)
    assert apart(one, [2 * value for value in other])
