"""The cost of dispatch: guards are counted, and the graph costs nothing."""

from __future__ import annotations

from typing import Any

from tests.validators.probes.arms import add_relu, ones
from validators.probes import guard_cost, null_backend


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
