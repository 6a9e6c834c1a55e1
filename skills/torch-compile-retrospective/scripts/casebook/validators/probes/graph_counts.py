"""A backend that counts, for calls that `observe` does not watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch._dynamo

from validators.probes.arguments import Arguments, as_arguments
from validators.probes.differences import copied, copied_inputs, distance
from validators.probes.facts import captured_facts
from validators.probes.report import Report
from validators.probes.switches import force_eager

Backend = str | Callable[..., Any]


class CountingBackend:
    """Hands every graph to another backend; `graphs` keeps them, `runs` counts their runs."""

    def __init__(self, inner: Backend) -> None:
        self.inner = torch._dynamo.lookup_backend(inner)
        self.graphs: list[torch.fx.GraphModule] = []
        self.runs = 0

    @property
    def ops(self) -> tuple[int, ...]:
        """How many ops each graph has, not counting inputs, attributes and outputs."""
        return tuple(
            sum(node.op.startswith("call_") for node in graph.graph.nodes) for graph in self.graphs
        )

    def count(self, target: str) -> tuple[int, ...]:
        """How many nodes of each graph have `target` in what they call: "all_reduce"."""
        return tuple(
            sum(target in str(node.target) for node in graph.graph.nodes) for graph in self.graphs
        )

    def __call__(self, graph: torch.fx.GraphModule, inputs: list[Any], **options: Any) -> Any:
        """Compile one graph; Dynamo calls this."""
        self.graphs.append(graph)
        compiled = self.inner(graph, inputs, **options)

        def run(*args: Any) -> Any:
            self.runs += 1
            return compiled(*args)

        return run


def counting_backend(inner: Backend = "eager") -> CountingBackend:
    """A backend for `torch.compile` that counts graphs, ops and runs, and compiles with `inner`.

    `observe` sees all of that by itself. This is for code that compiles somewhere inside, in a
    transform, under DDP or in a generator, and for facts: `len(backend.graphs)`, `backend.ops`,
    `backend.runs`, `backend.count("all_reduce")`.
    """
    return CountingBackend(inner)


def with_and_without_fullgraph(
    target: Callable[..., Any], args: tuple[Any, ...] | Arguments, *, backend: Backend = "eager"
) -> Report:
    """Facts about one call of `target`, compiled by default and with `fullgraph=True`.

    The facts "default" and "fullgraph" are dicts: the "graphs" and "ops" that the backend got, the
    "runs" of those graphs, and the "difference", the largest absolute one, from an eager call. If a
    call raised, the facts are "default.exception" and "default.message" instead. Each call gets
    deep copies of the module and of the arguments.
    """
    item = as_arguments(args)

    def one_call(fullgraph: bool) -> dict[str, Any]:
        counting = counting_backend(backend)
        compiled = torch.compile(copied(target), backend=counting, fullgraph=fullgraph)
        given, kwargs = copied_inputs((item.args, item.kwargs))
        result = compiled(*given, **kwargs)
        given, kwargs = copied_inputs((item.args, item.kwargs))
        with force_eager():
            eager = copied(target)(*given, **kwargs)
        return {
            "graphs": len(counting.graphs),
            "ops": sum(counting.ops),
            "runs": counting.runs,
            "difference": distance(result, eager),
        }

    return captured_facts(default=lambda: one_call(False), fullgraph=lambda: one_call(True))
