"""The share of dispatch in a call: large where a graph does little, small where it does much."""

from __future__ import annotations

import torch

from tests.validators.probes.arms import add_relu, ones
from validators.probes import dispatch_share


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
