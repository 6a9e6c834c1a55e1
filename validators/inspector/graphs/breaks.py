"""The part `breaks`: graph breaks, recompiles and limits, and how much runs outside of graphs."""

from __future__ import annotations

import functools
import inspect
import multiprocessing
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

import torch

from validators.inspector.graphs.callers import broken_callers, calling, recompiles_of
from validators.inspector.graphs.messages import telling
from validators.inspector.graphs.recompiles import grouped
from validators.inspector.graphs.refusals import Refusals
from validators.inspector.graphs.shapes import varying
from validators.inspector.graphs.work import is_guard, operators_of, work_of
from validators.inspector.loading.target import (
    Method,
    PartStep,
    Step,
    Target,
    TargetError,
    compiled,
    copies,
    without_mode,
)
from validators.probes import Report, captured_log, observe, trace
from validators.probes.arguments import Arguments
from validators.probes.occurrences import (
    break_occurrences,
    limit_occurrences,
)
from validators.probes.switches import force_eager
from validators.worker.measuring import graphs_compiled
from validators.worker.user_code import sentence

_DYNAMO = "torch._dynamo.convert_frame"
_FORWARD = "casebook::forward"
_GRAPH = "casebook::graph"
_BACKEND = "aot_eager"
_COMPILING = "_compile.compile_inner"
"""How a profile calls what Dynamo does to a frame."""

Found = dict[str, Any]


def breaks(target: Target, options: dict[str, Any]) -> Found:
    """Graph breaks, recompiles and limits of all calls, made twice where eager mode can.

    "cold" is the exception that ends them in a new process, where none does after eager calls.
    """
    rounds, apart = _rounds_apart(target.again())
    cold = _counted(target, rounds, options)
    if not (apart and cold["raised"]):
        return {**cold, "cold": None}
    _rounds(target.again())
    torch._dynamo.reset()
    warm = _counted(target.again(), rounds, options)
    return {**cold, "cold": None} if warm["raised"] else {**warm, "cold": cold["raised"]}


def _counted(target: Target, rounds: int, options: dict[str, Any]) -> Found:
    """What so many rounds of the calls compile."""
    options = {"backend": _BACKEND, **without_mode(options)}
    refusals = Refusals()
    own = _own_function(target)
    shares = _Shares()
    with (
        trace.tracing() as events,
        calling() as callers,
        captured_log(_DYNAMO, level=30) as warnings,
        closing(shares.profiled(target, rounds)) as calls,
    ):
        messages: list[str] = []
        begun: list[int] = []
        report = observe(
            target.run,
            _noting(calls, events, begun),
            compile=lambda run: telling(_marked(run, options, refusals), messages),
        )
    if rounds == 1 and not report.exception:
        with suppress(Exception):
            shares.of_fresh(target.again(), options)
    broken = refusals.placed(break_occurrences(events), events)
    again = grouped(recompiles_of(events, own, begun, callers))
    return {
        "rounds": rounds,
        "backend": options["backend"],
        "dynamic": options.get("dynamic"),
        "varying": varying(target),
        "breaks": broken,
        "compiled_share": None if report.exception else shares.mean(),
        "work": shares.work,
        "outside": shares.outside,
        "operators": operators_of(it for graph in report.graphs for it in graph.targets),
        "recompiles": broken_callers(again, broken),
        "own": list(own[1:]),
        "limits": limit_occurrences(warnings),
        **_with_message(ran(report, len(target.calls)), messages),
    }


def _with_message(found: Found, messages: list[str]) -> Found:
    """What `ran` tells, with the last of the exceptions' messages as it was."""
    raised = found["raised"]
    return {**found, "raised": raised and {**raised, "message": messages[-1]}}


def _noting(
    calls: Iterable[Arguments], events: trace.Trace, begun: list[int]
) -> Iterator[Arguments]:
    """The calls; `begun` gets how many events there were when each began."""
    for item in calls:
        begun.append(len(events.events))
        yield item


def ran(report: Report, calls: int) -> Found:
    """The graphs of a report, the calls that ran eagerly, and the exception that ended them."""
    caught = report.exception
    return {
        "graphs": len(report.graphs),
        "eager_calls": [it for it in report.eager_calls if caught is None or it != caught.call],
        "raised": None if caught is None else {**vars(caught), "call": caught.call % calls},
    }


def _rounds_apart(target: Target) -> tuple[int, bool]:
    """What `_rounds` says, and whether a fork said so.

    What eager calls leave in caches of modules would hide what compiled code meets first in a
    user's process. But a fork lacks the process's threads and its CUDA device.

    Raises:
        TargetError: a call of the first round raises.
    """
    joined = torch.distributed.is_available() and torch.distributed.is_initialized()
    if torch.cuda.is_initialized() or joined or threading.active_count() > 1:
        return _rounds(target), False
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_tell_rounds, args=(target, sender))
    child.start()
    sender.close()
    try:
        answer = receiver.recv()
    except EOFError:
        answer = None
    child.join()
    if isinstance(answer, str):
        raise TargetError(answer)
    # Where the child died, this process dies of the same, and its end is told as any other.
    return (_rounds(target), False) if answer is None else (answer, True)


def _tell_rounds(target: Target, sender: Connection) -> None:
    try:
        sender.send(_rounds(target))
    except TargetError as error:
        sender.send(str(error))


def _rounds(target: Target) -> int:
    """How often eager mode makes all calls in a row, at most twice: a cache may be full after one.

    Raises:
        TargetError: a call of the first round raises.
    """
    for rounds in range(2):
        for number, item in enumerate(copies(target)):
            try:
                with force_eager():
                    target.run(*item.args, **item.kwargs)
            except Exception as error:
                if rounds:
                    return rounds
                raised = f"without compiling, call {number} raises {sentence(error)}"
                raise TargetError(f"{raised}; fix that first") from error
    return 2


class _Shares:
    """Which part of the ops of each warm forward pass runs inside of compiled graphs.

    `work` is how much a pass of each call computes, by the number of the call, and `outside` the
    part of it that no graph computes.
    """

    def __init__(self) -> None:
        self.seen: list[bool] = []
        self.work: dict[int, int] = {}
        self.outside: dict[int, int] = {}

    def profiled(self, target: Target, rounds: int) -> Generator[Arguments, None, None]:
        """The calls of each round, one by one; those after the first round are profiled."""
        yield from copies(target)
        for _ in range(1, rounds):
            for number, item in enumerate(copies(target)):
                with self._profiling(number):
                    yield item

    def of_fresh(self, target: Target, options: dict[str, Any]) -> None:
        """Profile the calls of a target that is warm because another one has made them."""
        run = _marked(target.run, options, Refusals())
        for number, item in enumerate(copies(target)):
            with self._profiling(number):
                run(*item.args, **item.kwargs)

    def mean(self) -> float | None:
        """The share over all passes; None if they had no ops."""
        return sum(self.seen) / len(self.seen) if self.seen else None

    @contextmanager
    def _profiling(self, number: int) -> Iterator[None]:
        """Read a profile of a call, unless something is compiled in it: tracing calls ops."""
        graphs = graphs_compiled()
        activities = [torch.profiler.ProfilerActivity.CPU]
        with torch.profiler.profile(activities=activities, record_shapes=True) as profile:
            yield
        if graphs_compiled() == graphs:
            events = profile.events() or ()
            if any(it.name.startswith(_COMPILING) for it in events):
                return  # It may compile in vain, which nobody counts.
            ops = [it for it in events if it.name.startswith("aten::") and not is_guard(it)]
            self.seen += [_inside(it, _GRAPH) for it in ops if _inside(it, _FORWARD)]
            self.work[number] = work_of(it for it in events if it.name == _FORWARD)
            inside = work_of(it for it in events if it.name == _GRAPH and _inside(it, _FORWARD))
            self.outside[number] = self.work[number] - inside


def _marked(
    run: Callable[..., Any], options: dict[str, Any], refusals: Refusals
) -> Callable[..., Any]:
    """`run` compiled, with its forward pass and its graphs marked in a profile."""
    made = compiled(run, {**options, "backend": _marking(options["backend"], refusals)})
    if isinstance(made, Step):
        made._forward = _in_profile(_FORWARD, made._forward)
        return made
    return _in_profile(_FORWARD, made)


@functools.cache
def _marking(name: str, refusals: Refusals) -> Callable[..., Any]:
    """The backend `name`, whose graphs are marked; one object, so that Dynamo finds its graphs."""
    known = refusals.noting(torch._dynamo.lookup_backend(name))

    def backend(graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        return _in_profile(_GRAPH, known(graph, inputs))

    # torch's messages name the backend.
    backend.__name__ = name
    return backend


def _in_profile(mark: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        with torch.profiler.record_function(mark):
            return real(*args, **kwargs)

    return run


def _inside(event: Any, mark: str) -> bool:
    while event is not None:
        if event.name == mark:
            return True
        event = event.cpu_parent
    return False


def _own_function(target: Target) -> tuple[str, str, int]:
    """The name, file and line of the target's own function, below its decorators."""
    run = target.run
    part = run.part if isinstance(run, PartStep) else run
    if isinstance(part, Method):
        function = getattr(type(part.model), part.name)
    else:
        function = type(target.model).forward if target.model is not None else run
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (code.co_name, code.co_filename, code.co_firstlineno) if code else ("", "", 0)
