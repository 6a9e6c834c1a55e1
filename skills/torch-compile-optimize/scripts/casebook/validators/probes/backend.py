"""The first witness: every backend call of Dynamo, and every run of what it returned.

`OutputGraph.call_user_compiler` is where Dynamo hands a graph to whatever backend was chosen, by
`torch.compile`, `Module.compile()`, a decorator or a module imported long before. Hooking in there
leaves the backend object itself alone: Dynamo's cache depends on its identity.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._dynamo import output_graph as dynamo
from torch._guards import CompileContext

from validators.probes.backward import BackwardRuns, without_compiled_autograd
from validators.probes.places import frames, user_place
from validators.probes.report import Graph, GraphInput, MutatedInput

_CAPTURING = ("torch._dynamo.convert_frame", "torch._dynamo.eval_frame")
_CALLS = ("call_function", "call_method", "call_module")

Compiled = Callable[..., Any]


@dataclass
class Seen:
    """One graph that a backend compiled, and what its runs did."""

    compile_id: str
    targets: dict[str, int]
    names: list[str]
    values: list[Any]
    file: str
    line: int
    executions: Counter[int] = field(default_factory=Counter)
    mutated: dict[tuple[int, str], None] = field(default_factory=dict)

    def graph(self) -> Graph:
        """The graph as plain data; shapes are read now, after all specialization."""
        tensors = zip(self.names, self.values, strict=True)
        inputs = tuple(
            GraphInput(name, tuple(map(_dim, value.shape)), str(value.dtype).removeprefix("torch."))
            for name, value in tensors
            if isinstance(value, torch.Tensor)
        )
        return Graph(
            compile_id=self.compile_id,
            ops=sum(self.targets.values()),
            targets=self.targets,
            inputs=inputs,
            symbols=tuple(dict.fromkeys(s for v in self.values for s in _symbols(v))),
            executions=self.executions.total(),
            file=self.file,
            line=self.line,
        )


class Recorder:
    """What the backend calls showed; `call` is the index of the call that is running now.

    Both counters are by compile id. `backend_calls` counts graphs that were handed to a backend
    (failed ones too), `empty_graphs` graphs that Dynamo found empty and did not hand on.
    """

    def __init__(self, libraries: tuple[str, ...], eager: bool) -> None:
        self.libraries = libraries
        self.eager = eager
        self.active = True
        self.call = 0
        self.seen: list[Seen] = []
        self.compiled: Counter[int] = Counter()
        self.backward: Counter[int] = Counter()
        self.backward_runs = BackwardRuns(self._backward_ran)
        self.backend_calls: Counter[str] = Counter()
        self.empty_graphs: Counter[str] = Counter()
        self.cuda: Any = None
        self.stack = contextlib.ExitStack()
        self._given: dict[int, object] = {}

    def executions(self, call: int) -> int:
        """How many compiled graphs ran during one call, not counting graphs without ops.

        A graph without ops computes nothing, and not every release hands it to a backend.
        """
        return sum(seen.executions[call] for seen in self.seen if seen.targets)

    def mutated_inputs(self) -> tuple[MutatedInput, ...]:
        """All inputs that some execution changed in place."""
        return tuple(
            MutatedInput(graph, name, call)
            for graph, seen in enumerate(self.seen)
            for call, name in seen.mutated
        )

    def compile(self, output: Any, gm: torch.fx.GraphModule, real: Callable[[], Any]) -> Any:
        """Hand a graph to the real backend, and wrap what that returned."""
        compile_id = _compile_id(output)
        if id(output) not in self._given:
            # Later calls for one graph come from `specialize_on`: one trace, more backend calls.
            self._given[id(output)] = output
            self.backend_calls[compile_id] += 1
        seen = self._look(compile_id, gm)
        self.watch_cuda()
        captured = _captured(output)
        eager = self.eager and not captured
        compiled = gm.forward if eager else real()
        self.seen.append(seen)
        self.compiled[self.call] += 1
        return compiled if captured else self._watched(seen, compiled)

    def watch_cuda(self) -> None:
        """Watch the GPU from now on, if CUDA is in use and it is not yet watched."""
        if self.cuda is None and torch.cuda.is_initialized():
            from validators.probes.cuda import watching

            self.cuda = self.stack.enter_context(watching())

    def _look(self, compile_id: str, gm: torch.fx.GraphModule) -> Seen:
        nodes = list(gm.graph.nodes)
        placeholders = [node for node in nodes if node.op == "placeholder"]
        calls = [node for node in nodes if node.op in _CALLS]
        stack = next((node.meta["stack_trace"] for node in calls if _has_stack(node)), "")
        file, line = user_place(frames(stack), self.libraries)
        return Seen(
            compile_id=compile_id,
            targets=dict(Counter(_target(node) for node in calls)),
            names=[str(node.target) for node in placeholders],
            values=[node.meta.get("example_value") for node in placeholders],
            file=file,
            line=line,
        )

    def _watched(self, seen: Seen, compiled: Compiled) -> Compiled:
        @functools.wraps(compiled, updated=())
        def run(*args: Any, **kwargs: Any) -> Any:
            if not self.active:
                return compiled(*args, **kwargs)
            call = self.call
            seen.executions[call] += 1
            before = [_version(value) for value in args]
            # Backends may take the list of inputs apart; `args` keeps each tensor alive.
            result = compiled(*args, **kwargs)
            for index, value in enumerate(args):
                if _version(value) != before[index]:
                    name = seen.names[index] if index < len(seen.names) else str(index)
                    seen.mutated[call, name] = None
            self.backward_runs.watch(result)
            return result

        return run

    def _backward_ran(self) -> None:
        if self.active:
            self.backward[self.call] += 1


@contextmanager
def recording(libraries: tuple[str, ...], eager: bool = False) -> Iterator[Recorder]:
    """Witness every backend call until the block ends; `eager` replaces all backends by eager.

    Functions compiled inside stay usable afterwards, but their runs are not counted any more.
    """
    recorder = Recorder(libraries, eager)
    real = dynamo.OutputGraph.call_user_compiler

    # The arguments after the graph differ between releases, and are passed on unchanged.
    def call_user_compiler(output: Any, gm: torch.fx.GraphModule, *rest: Any, **named: Any) -> Any:
        return recorder.compile(output, gm, lambda: real(output, gm, *rest, **named))

    with recorder.stack as stack:
        stack.callback(setattr, recorder, "active", False)
        stack.callback(recorder._given.clear)
        stack.callback(setattr, dynamo.OutputGraph, "call_user_compiler", real)
        dynamo.OutputGraph.call_user_compiler = call_user_compiler
        if hasattr(dynamo, "is_noop_graph"):
            stack.enter_context(_empty_graphs(recorder))
        stack.enter_context(without_compiled_autograd(recorder.backward_runs))
        recorder.watch_cuda()
        yield recorder


@contextmanager
def _empty_graphs(recorder: Recorder) -> Iterator[None]:
    """Some releases trace a graph without ops and then keep it from the backend."""
    real = dynamo.is_noop_graph

    def is_noop_graph(gm: torch.fx.GraphModule) -> Any:
        empty = real(gm)
        if empty:
            recorder.empty_graphs[_compile_id(None)] += 1
        return empty

    dynamo.is_noop_graph = is_noop_graph
    try:
        yield
    finally:
        dynamo.is_noop_graph = real


def _compile_id(output: Any) -> str:
    known = getattr(output, "dynamo_compile_id", None) or CompileContext.current_compile_id()
    return "" if known is None else str(known)


def _captured(output: Any) -> bool:
    """Whether Dynamo only captures the graph, for `torch.export` or `aot_compile`.

    Such a graph is compiled and run elsewhere, where no probe sees it.
    """
    return getattr(output.compiler_fn, "__module__", "") in _CAPTURING


def _has_stack(node: torch.fx.Node) -> bool:
    return bool(node.meta.get("stack_trace"))


def _target(node: torch.fx.Node) -> str:
    """What a node calls: a method's or module's name, a function's importable name."""
    target = node.target
    if isinstance(target, str):
        return target
    module = getattr(target, "__module__", None) or ""
    name = getattr(target, "__name__", None) or str(target)
    if module in ("_operator", "builtins", ""):
        return name
    if "OpOverload" in type(target).__name__:
        return str(target)
    return f"{module}.{name}"


def _version(value: Any) -> int:
    """A tensor's version counter; inference tensors have none, so their changes go unseen."""
    if not isinstance(value, torch.Tensor) or value.is_inference():
        return 0
    return int(value._version)


def _dim(size: Any) -> int | str:
    if isinstance(size, int):
        return size
    text = str(size)
    return int(text) if text.lstrip("-").isdigit() else text


def _symbols(value: Any) -> list[str]:
    """The free symbols in a placeholder's value, in order of appearance."""
    if isinstance(value, torch.Tensor):
        return [s for size in value.shape for s in _symbols(size)]
    node = getattr(value, "node", None)
    free = getattr(getattr(node, "expr", None), "free_symbols", ())
    return sorted(str(symbol) for symbol in free)
