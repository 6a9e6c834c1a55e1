"""Run a callable under `torch.compile` through a list of calls, and report what happened."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch._dynamo

from validators.probes import audit, report, results, trace, witness
from validators.probes.arguments import Arguments, as_arguments
from validators.probes.backend import Recorder, recording
from validators.probes.breaks import break_ids
from validators.probes.counters import Counts, counting
from validators.probes.switches import error_on_graph_break
from validators.probes.text import clean, qualified

_BREAKS = (torch._dynamo.exc.Unsupported, torch._dynamo.exc.UserError)
LIBRARIES = (str(Path(torch.__file__).parent), str(Path(__file__).parent))


def observe(
    target: Callable[..., Any],
    calls: Iterable[Sequence[Any] | Arguments],
    *,
    backend: str | Callable[..., Any] = "eager",
    compile: Callable[[Any], Callable[..., Any]] | None = None,
    eager: bool = False,
    compare: Sequence[str] = (),
    **options: Any,
) -> report.Report:
    """Compile `target`, make the calls in order, and report what the witnesses saw.

    `target` is compiled by `torch.compile(target, backend=backend, **options)`, or by `compile`,
    which gets `target` and returns what is to be called. `calls` holds argument tuples or
    `call(...)`s, taken one by one, so a generator may act between calls. `eager=True` says that
    the calls are not meant to run compiled. An exception that leaves a call ends the run and
    becomes `Report.exception`; its call is the last in `Report.calls`.

    `compare` asks for differences from a run beside the compiled one: "eager" and "float64"
    compare each call's outputs, "gradients" the gradients of parameters and inputs. A module is
    deep-copied for that; a plain function is called as it is.

    All Dynamo state is reset first, and nothing is left behind. The probes do not see code that
    `torch.export` or `aot_compile` made: such calls show no executions. An arm that needs them
    passes `eager=True` or reports facts through `captured_facts`.

    Raises:
        WitnessError: the backend calls and the structured trace contradict each other.
        ValueError: no calls, or an unknown word in `compare`.
    """
    if audit.auditing():
        return _audit(target, calls, compile or compiler(backend, options))
    torch._dynamo.reset()
    comparison = _comparison(target, compare)
    index = audit.next_observation()
    results.begin()
    with trace.tracing() as events, recording(LIBRARIES) as recorder, counting() as counters:
        differences, caught = _run(
            target, calls, compile or compiler(backend, options), recorder, comparison
        )
    witness.check(recorder, events)
    graphs = tuple(seen.graph() for seen in recorder.seen)
    return report.Report(
        eager=eager,
        calls=tuple(
            report.Call(recorder.compiled[i], recorder.executions(i), difference)
            for i, difference in enumerate(differences)
        ),
        graphs=graphs,
        ops=sum(graph.ops for graph in graphs),
        graph_breaks=trace.graph_breaks(events, LIBRARIES),
        recompiles=trace.recompiles(events),
        recompile_limit_hit=trace.recompile_limit_hit(events),
        mutated_inputs=recorder.mutated_inputs(),
        cache=counters.cache(),
        cudagraphs=_cudagraphs(recorder, counters, caught),
        exception=caught,
        backward_executions=recorder.backward.total(),
        observation=index,
        times={"compile": trace.compile_times(events)},
        memory={} if recorder.cuda is None else recorder.cuda.memory,
    )


def observed(
    target: Callable[..., Any], calls: Iterable[Arguments], options: dict[str, Any]
) -> tuple[report.Report, list[Callable[..., Any]]]:
    """Observe `calls`; also return, in a list, what `target` was compiled to: empty if that failed.

    `options` are `observe`'s.
    """
    options = dict(options)
    own = {key: options.pop(key) for key in ("eager", "compare") if key in options}
    make = options.pop("compile", None) or compiler(options.pop("backend", "eager"), options)
    made: list[Callable[..., Any]] = []

    def keep(it: Any) -> Callable[..., Any]:
        made.append(make(it))
        return made[-1]

    return observe(target, calls, compile=keep, **own), made


def _cudagraphs(
    recorder: Recorder, counters: Counts, caught: report.Caught | None
) -> report.Cudagraphs | None:
    """CUDA graph activity; None where no GPU was used and nothing was skipped."""
    skips, watch = counters.cudagraph_skips(), recorder.cuda
    if watch is None:
        return report.Cudagraphs(skips, 0, 0, 0) if skips else None
    from validators.probes.cuda import overwritten

    lost = caught is not None and overwritten(caught.message)
    return report.Cudagraphs(skips, watch.recordings, watch.replays, int(lost))


def compiler(backend: Any, options: dict[str, Any]) -> Callable[[Any], Callable[..., Any]]:
    """The function that compiles a target unless an arm brings its own."""

    def compiled(target: Any) -> Callable[..., Any]:
        if hasattr(target, "compile_in_place"):
            return target.compile_in_place(backend=backend, **options)  # type: ignore[no-any-return]
        return torch.compile(target, backend=backend, **options)  # type: ignore[no-any-return]

    return compiled


def _comparison(target: Any, compare: Sequence[str]) -> Any:
    if not compare:
        return None
    from validators.probes.differences import Comparison

    return Comparison(target, compare)


def _run(
    target: Any,
    calls: Iterable[Sequence[Any] | Arguments],
    compile_: Callable[[Any], Callable[..., Any]],
    recorder: Recorder,
    comparison: Any,
) -> tuple[list[report.Difference | None], report.Caught | None]:
    """Make all calls; return a difference for each one begun, and the exception that ended them."""
    differences: list[report.Difference | None] = []
    with contextlib.ExitStack() as stack:
        if comparison is not None:
            stack.enter_context(comparison)
        compiled = compile_(target)
        for recorder.call, given in enumerate(calls):
            item = as_arguments(given)
            differences.append(None)
            if comparison is not None:
                comparison.before(item.args, item.kwargs)
            try:
                result = compiled(*item.args, **item.kwargs)
            except Exception as error:
                return differences, _caught(error, recorder.call)
            results.keep(result, (item.args, item.kwargs), target)
            if comparison is not None:
                differences[-1] = comparison.after(result, item.args, item.kwargs)
    if not differences:
        raise ValueError("observe was given no calls; a report of none proves nothing.")
    return differences, None


def _caught(error: Exception, index: int) -> report.Caught:
    ids = break_ids(str(error)) if isinstance(error, _BREAKS) else ()
    return report.Caught(
        type=qualified(type(error)),
        message=clean(str(error)),
        call=index,
        break_id=ids[0] if ids else "",
    )


def _audit(
    target: Any,
    calls: Iterable[Sequence[Any] | Arguments],
    compile_: Callable[[Any], Callable[..., Any]],
) -> report.Report:
    """Make the calls on eager backends until the first graph break, and record that."""
    torch._dynamo.reset()
    with recording(LIBRARIES, eager=True) as recorder, error_on_graph_break():
        differences, caught = _run(target, calls, compile_, recorder, None)
    broke = caught is not None and caught.type in map(qualified, _BREAKS)
    audit.record(
        audit.Audit(
            broke=broke,
            id=caught.break_id if caught else "",
            exception="" if broke or caught is None else caught.type,
            calls=len(differences) - (caught is not None),
        )
    )
    return report.Report(exception=caught, observation=None)
