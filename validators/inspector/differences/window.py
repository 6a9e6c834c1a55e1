"""Compile some ops of a model and run the others as they are, to see which compiled ones matter."""

from __future__ import annotations

import bisect
import contextlib
import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

import torch
from torch.fx.passes.split_module import split_module

from validators.inspector.differences.chains import Range

Shown = TypeVar("Shown")
_CALLS = ("call_function", "call_method", "call_module")
_RANDOM = re.compile(
    r"rand\w*|(?:\w+_)?dropout\w*|Dropout\w*|\w+Dropout|bernoulli_?|normal_?|uniform_|random_"
    r"|exponential_|geometric_|cauchy_|log_normal_|multinomial|poisson|binomial|rrelu_?|RReLU"
    r"|gumbel_softmax"
)
"""Names of ops and modules that draw random numbers."""

Shows = Callable[[int, int], bool]
"""Whether trouble shows where the ops from the first number up to the second are compiled."""


@dataclass
class Window:
    """A backend of `torch.compile` that hands on to `backend` only the ops in some ranges.

    Ops are numbered over all graphs, in the order in which Dynamo traces them; `ranges` are in
    order, and apart. With `inverted`, the ops outside of them are compiled. `ops` holds what each
    op calls and the stack of the code that it comes from, `parts` what was compiled. Without
    `random`, ops that draw random numbers are not compiled: Inductor may lay their tensors out in
    another way, and then the same numbers stand in another order.
    """

    backend: str
    ranges: Sequence[Range] = ()
    inverted: bool = False
    random: bool = True
    ops: list[tuple[str, str]] = field(default_factory=list)
    parts: list[torch.fx.GraphModule] = field(default_factory=list)

    def __call__(self, graph: torch.fx.GraphModule, _inputs: Any) -> Callable[..., Any]:
        """Compile a graph."""
        calls = [node for node in graph.graph.nodes if node.op in _CALLS]
        numbered = enumerate(calls, len(self.ops))
        chosen = [self._chooses(graph, number, node) for number, node in numbered]
        self.ops += [(_called(node), node.meta.get("stack_trace") or "") for node in calls]
        if calls and all(chosen):
            return self._compiled(graph)
        runs = groupby(zip(calls, chosen, strict=True), lambda pair: pair[1])
        parts: dict[torch.fx.Node, int] = {}
        wanted: list[int] = []
        for number, (compiles, pairs) in enumerate(runs):
            parts |= {node: number for node, _ in pairs}
            wanted += [number] if compiles else []
        run: Callable[..., Any] = graph.forward
        if wanted:
            # Random numbers and writes in place depend on the order.
            split = split_module(
                graph, graph, lambda node: parts.get(node, 0), keep_original_order=True
            )
            for number in wanted:
                part = getattr(split, f"submod_{number}")
                part.forward = self._compiled(part)
            run = split.forward
        return run

    def _chooses(self, graph: torch.fx.GraphModule, number: int, node: torch.fx.Node) -> bool:
        """Whether an op is compiled."""
        borders = [border for one in self.ranges for border in one]
        # Odd numbers are in a range.
        chosen = bisect.bisect(borders, number) % 2 != self.inverted
        return chosen and (self.random or not _draws(graph, node))

    def _compiled(self, part: torch.fx.GraphModule) -> Callable[..., Any]:
        sizes = [it.meta.get("example_value") for it in part.graph.find_nodes(op="placeholder")]
        self.parts.append(part)
        dynamic = True if any(isinstance(it, torch.SymInt) for it in sizes) else None
        run = copy.copy(part).forward
        made: Callable[..., Any] = torch.compile(run, backend=self.backend, dynamic=dynamic)
        return made


def caused(trial: Callable[[Window], Shown], window: Window) -> Shown | None:
    """What a trial of a window shows, if it is by compiling; None if it shows nothing.

    That ops are cut out of their graph may be wrong as well, and is no fault of torch's.
    """
    shown = trial(window)
    apart = Window("eager", window.ranges, random=window.random)
    return shown if shown and not trial(apart) else None


def smallest(count: int, shows: Shows) -> tuple[int, int] | None:
    """The smallest window of `count` ops that shows trouble, by halving; None if all do not.

    It is the end that matters, and then the latest begin: other windows may show trouble, too.
    """
    if not count or not shows(0, count):
        return None
    low, last = 0, count
    while last - low > 1:
        middle = (low + last) // 2
        low, last = (low, middle) if shows(0, middle) else (middle, last)
    first, high = 0, last
    while high - first > 1:
        middle = (first + high) // 2
        first, high = (middle, high) if shows(middle, last) else (first, middle)
    return first, last


def _draws(graph: torch.fx.GraphModule, node: torch.fx.Node) -> bool:
    """Whether an op draws random numbers, by its name."""
    if node.op == "call_module":
        return bool(_RANDOM.fullmatch(type(graph.get_submodule(str(node.target))).__name__))
    # Attention gets the share that it drops.
    dropped = node.kwargs.get("dropout_p", 0.0)
    return bool(dropped) or bool(_RANDOM.fullmatch(_called(node).rpartition(".")[2]))


def _called(node: torch.fx.Node) -> str:
    """What an op calls, as one would write it."""
    if isinstance(node.target, str):
        return node.target
    with contextlib.suppress(Exception):
        if node.target.__module__ in ("_operator", "builtins"):
            return str(node.target.__name__)
        return str(torch.overrides.resolve_name(node.target) or node.target.__name__)
    return str(node.target)
