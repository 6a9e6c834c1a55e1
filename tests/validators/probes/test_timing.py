"""Times of observed calls, and two measurements by turns: order, ratio, and what has none."""

from __future__ import annotations

import pytest

from tests.validators.probes.arms import add_relu, ones
from tests.validators.probes.fake_gpu import FakeGpu
from validators.probes import event_times, observe
from validators.probes.timing import with_ratio


def test_turns_alternate_and_one_lucky_turn_does_not_move_the_ratio() -> None:
    """Four turns at 2:1 and one at 60:1 are 2, where a ratio of minima would be 1 or 60."""
    seconds = iter([2.0, 1.0, 4.0, 2.0, 6.0, 0.1, 2.0, 1.0, 8.0, 4.0])
    report = observe(add_relu, [(ones(2),)])
    timed = with_ratio(
        report, "gain", ("slow", lambda: next(seconds)), ("fast", lambda: next(seconds)), 5
    )
    assert timed.times["slow"] == [2.0, 4.0, 6.0, 2.0, 8.0]
    assert timed.times["fast"] == [1.0, 2.0, 0.1, 1.0, 4.0]
    assert timed.facts["gain"] == 2.0
    assert timed.calls == report.calls


def test_what_raised_is_not_measured() -> None:
    """A report that holds an exception comes back as it is."""
    report = observe(lambda x: x @ x, [(ones(2, 3),)])
    assert report.exception is not None
    assert with_ratio(report, "gain", ("a", pytest.fail), ("b", pytest.fail), 1) is report


def test_event_times_are_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events measure milliseconds and the report holds seconds, after observed warm-ups."""
    gpu = FakeGpu(monkeypatch)
    report = event_times(add_relu, (ones(3),), repeats=4, warmups=2)
    assert report.times["cuda"] == [0.0025] * 4
    assert [call.executions for call in report.calls] == [1, 1]
    assert gpu.synchronized == 4
