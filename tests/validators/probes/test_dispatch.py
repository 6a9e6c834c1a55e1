"""Dispatch alone, as a share of a call, and after a change: savings are seen, and none."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
import torch

from tests.validators.probes.arms import add_relu, ones
from validators.probes import dispatch_gain, dispatch_share, guard_cost, null_backend


def test_guard_cost_scales_with_guards() -> None:
    """More guarded inputs give more guards; the samples are kept raw."""

    def few(x: Any) -> Any:
        return x + 1

    def many(*xs: Any) -> Any:
        return sum(xs[1:], xs[0])

    one = guard_cost(few, (ones(2),), samples=2, calls_per_sample=3)
    ten = guard_cost(many, tuple(ones(2) for _ in range(10)), samples=2, calls_per_sample=3)
    assert one.eager_calls == ten.eager_calls == ()
    assert len(ten.times["guards_per_call"]) == 2
    assert isinstance(one.facts["guards"], int)
    assert isinstance(ten.facts["guards"], int)
    assert ten.facts["guards"] > one.facts["guards"] > 0


def test_guard_cost_does_not_run_the_graph() -> None:
    """Timed calls return the first call's results: the graph costs nothing."""
    runs: list[int] = []

    def backend(gm: Any, inputs: Any) -> Any:
        def counted(*args: Any) -> Any:
            runs.append(1)
            return gm(*args)

        return null_backend(counted, inputs)

    guard_cost(add_relu, (ones(2),), samples=2, calls_per_sample=5, backend=backend)
    assert len(runs) == 1


def test_guard_cost_of_what_raises() -> None:
    """A target that raises gives its exception and no times."""
    report = guard_cost(lambda x: x @ x, (ones(2, 3),), samples=1, calls_per_sample=1)
    assert report.exception is not None
    assert "guards_per_call" not in report.times


def share(size: int) -> float:
    """What `dispatch_share` says of one matrix product with `size` rows and columns."""
    report = dispatch_share(
        torch.mm, (ones(size, size),) * 2, backend="eager", samples=5, calls_per_sample=3
    )
    assert [call.compiled for call in report.calls] == [1, 0, 1, 0]
    assert report.eager_calls == ()
    assert len(report.times["dispatch"]) == len(report.times["call"]) == 5
    return float(report.facts["share"])  # type: ignore[arg-type]


def test_a_small_graph_is_mostly_dispatch() -> None:
    """A product of two rows takes no time to speak of."""
    assert share(2) > 0.2


def test_a_large_graph_is_hardly_dispatch() -> None:
    """A product of a thousand rows takes milliseconds."""
    assert share(1024) < 0.05


def test_options_reach_the_compile() -> None:
    """The timed variant is compiled with what was given, the empty one is not."""
    compiled: list[str] = []

    def backend(gm: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> torch.fx.GraphModule:
        compiled.append("whole")
        return gm

    dispatch_share(add_relu, (ones(3),), backend=backend, samples=1, calls_per_sample=1)
    assert compiled == ["whole"]


def test_what_raises_has_no_share() -> None:
    """A target that raises gives its exception and no times."""
    report = dispatch_share(lambda x: x @ x, (ones(2, 3),), samples=1, calls_per_sample=1)
    assert report.exception is not None
    assert "share" not in report.facts
    assert "call" not in report.times


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


def test_no_change_is_no_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a change one variant is timed against itself."""
    timed: list[Any] = []

    def seconds(compiled: Any, *_: Any) -> float:
        timed.append(compiled)
        return 0.5

    monkeypatch.setattr("validators.probes.dispatch.seconds_per_call", seconds)
    report = dispatch_gain(blocks(), (ones(2, 2),), samples=3)
    assert [call.compiled for call in report.calls] == [1, 0, 0, 0]
    assert timed == [timed[0]] * 6
    assert report.facts["gain"] == 1


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
