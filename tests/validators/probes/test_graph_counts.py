"""The counting backend: what it counts, through what, and on what it says nothing."""

from __future__ import annotations

from typing import Any

import torch

from tests.validators.probes.arms import add_relu, ones
from validators.probes import counting_backend, with_and_without_fullgraph


def breaks(x: torch.Tensor) -> torch.Tensor:
    """One op, a break, two ops."""
    x = x + 1
    torch._dynamo.graph_break()
    return x.relu() * 2


def test_graphs_ops_and_runs_are_counted() -> None:
    """Two graphs of one and two ops run in each of three calls."""
    torch._dynamo.reset()
    backend = counting_backend()
    compiled = torch.compile(breaks, backend=backend)
    for _ in range(3):
        assert torch.equal(compiled(ones(3)), ones(3) * 4)
    assert backend.ops == (1, 2)
    assert backend.runs == 6
    assert backend.count("relu") == (0, 1)
    assert len(backend.graphs) == 2


def test_another_backend_compiles() -> None:
    """A name or a callable is what compiles; its options reach it."""
    given: list[Any] = []

    def inner(graph: torch.fx.GraphModule, _inputs: Any, **options: Any) -> Any:
        given.append(options)
        return lambda *args: tuple(value + 1 for value in graph(*args))

    torch._dynamo.reset()
    compiled = torch.compile(add_relu, backend=counting_backend(inner), options={"a": 1})
    assert torch.equal(compiled(ones(3)), ones(3) * 3)
    assert given == [{"options": {"a": 1}}]
    torch._dynamo.reset()
    aot = counting_backend("aot_eager")
    x = ones(3).requires_grad_()
    torch.compile(add_relu, backend=aot)(x).sum().backward()
    assert x.grad is not None and aot.runs == 1


def test_one_call_with_and_without_fullgraph() -> None:
    """A break parts graphs by default and raises with fullgraph; a module is copied."""

    class Counting(torch.nn.Module):
        seen = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.seen += 1
            return breaks(x.add_(self.seen))

    model, x = Counting(), ones(3)
    report = with_and_without_fullgraph(model, (x,))
    facts = report.facts
    assert facts["default"] == {"graphs": 3, "ops": 4, "runs": 3, "difference": 0.0}
    assert facts["fullgraph.exception"] == "torch._dynamo.exc.Unsupported"
    assert "fullgraph" not in facts
    assert model.seen == 0 and torch.equal(x, ones(3))


def test_a_wrong_result_is_a_difference() -> None:
    """What the graphs return is compared with an eager call."""

    def wrong(graph: torch.fx.GraphModule, _inputs: Any) -> Any:
        return lambda *args: tuple(value + 0.5 for value in graph(*args))

    facts = with_and_without_fullgraph(add_relu, (ones(3),), backend=wrong).facts
    expected = {"graphs": 1, "ops": 2, "runs": 1, "difference": 0.5}
    assert facts == {"default": expected, "fullgraph": expected}
