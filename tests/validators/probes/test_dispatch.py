"""The gain of a change in dispatch: what it times, and that it sees a saving and none."""

from __future__ import annotations

import contextlib
from typing import Any

import torch

from tests.validators.probes.arms import add_relu, ones
from validators.probes import dispatch_gain


def blocks() -> torch.nn.Module:
    """A module with guards enough to be worth skipping."""
    return torch.nn.Sequential(*(torch.nn.Linear(2, 2) for _ in range(24)))


def test_skipped_guards_are_a_gain() -> None:
    """Dropping every guard makes the dispatch of many modules cheaper; two variants compile."""
    options = {"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}
    report = dispatch_gain(blocks(), (ones(2, 2),), options=options)
    assert [call.compiled for call in report.calls] == [1, 0, 1, 0]
    assert report.eager_calls == ()
    assert len(report.times["plain"]) == len(report.times["changed"]) == 30
    assert float(report.facts["gain"]) > 1.1  # type: ignore[arg-type]


def test_no_change_is_no_gain() -> None:
    """Without a change one variant is timed against itself."""
    report = dispatch_gain(blocks(), (ones(2, 2),), samples=60)
    assert [call.compiled for call in report.calls] == [1, 0, 0, 0]
    assert 0.4 < float(report.facts["gain"]) < 2.5  # type: ignore[arg-type]


def test_contexts_are_entered_where_they_belong() -> None:
    """`compiling` surrounds the changed warm-ups, `running` each changed sample."""
    entered: list[str] = []

    def context(name: str) -> Any:
        def enter() -> Any:
            entered.append(name)
            return contextlib.nullcontext()

        return enter

    dispatch_gain(
        add_relu,
        (ones(3),),
        compiling=context("compiling"),
        running=context("running"),
        samples=3,
        calls_per_sample=2,
    )
    assert entered == ["compiling"] * 2 + ["running"] * 3


def test_what_raises_has_no_gain() -> None:
    """A target that raises gives its exception and no times."""
    report = dispatch_gain(lambda x: x @ x, (ones(2, 3),), samples=1, calls_per_sample=1)
    assert report.exception is not None
    assert "gain" not in report.facts
    assert "plain" not in report.times
