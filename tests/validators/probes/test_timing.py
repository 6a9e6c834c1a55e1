"""Times of observed calls."""

from __future__ import annotations

import pytest

from tests.validators.probes.arms import add_relu, ones
from tests.validators.probes.fake_gpu import FakeGpu
from validators.probes import event_times


def test_event_times_are_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events measure milliseconds and the report holds seconds, after observed warm-ups."""
    gpu = FakeGpu(monkeypatch)
    report = event_times(add_relu, (ones(3),), repeats=4, warmups=2)
    assert report.times["cuda"] == [0.0025] * 4
    assert [call.executions for call in report.calls] == [1, 1]
    assert gpu.synchronized == 4
