"""Compile some ops of a model and run the others as they are, to see which compiled ones matter."""

from __future__ import annotations

import bisect
import contextlib
import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import torch
from torch.fx.passes.split_module import split_module

from validators.worker.chains import Range

Shown = TypeVar("Shown")
_CALLS = ("call_function", "call_method", "call_module")

Shows = Callable[[int, int], bool]
"""Whether trouble shows where the ops from the first number up to the second are compiled."""


@dataclass
class Window:
    """A backend of `torch.compile` that hands on to `backend` only the ops in some ranges.

    Ops are numbered over all graphs, in the order in which Dynamo traces them; `ranges` are in
    order, and apart. With `inverted`, the ops outside of them are compiled. `ops` holds what each
    op calls and the stack of the code that it comes from, `parts` what was compiled.
    """

    backend: str
    ranges: Sequence[Range] = ()
    inverted: bool = False
    ops: list[tuple[str, str]] = field(default_factory=list)
    parts: list[torch.fx.GraphModule] = field(default_factory=list)

    def __call__(self, graph: torch.fx.GraphModule, _inputs: Any) -> Callable[..., Any]:
        """Compile a graph."""
        parts: dict[torch.fx.Node, int] = {}
        borders = [border for one in self.ranges for border in one]
        for node in graph.graph.nodes:
            if node.op in _CALLS:
                # Odd numbers are in a range.
                parts[node] = bisect.bisect(borders, len(self.ops))
                self.ops.append((_called(node), node.meta.get("stack_trace") or ""))
        numbers = {*parts.values()}
        wanted = {it for it in numbers if it % 2 != self.inverted}
        if wanted and len(numbers) == 1:
            return self._compiled(graph)
        run: Callable[..., Any] = graph.forward
        if wanted:
            split = split_module(graph, graph, lambda node: parts.get(node, 0))
            for number in wanted:
                part = getattr(split, f"submod_{number}")
                part.forward = self._compiled(part)
            run = split.forward
        return run

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
    return shown if shown and not trial(Window("eager", window.ranges)) else None


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


def _called(node: torch.fx.Node) -> str:
    """What an op calls, as one would write it."""
    if isinstance(node.target, str):
        return node.target
    with contextlib.suppress(Exception):
        if node.target.__module__ in ("_operator", "builtins"):
            return str(node.target.__name__)
        return str(torch.overrides.resolve_name(node.target) or node.target.__name__)
    return str(node.target)
