"""The parts of a diagnosis: each runs a user's target once more, in a process of its own."""

from __future__ import annotations

import inspect
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.probes import Report, captured_log, observe, trace
from validators.probes.arguments import Arguments
from validators.probes.differences import copied
from validators.probes.occurrences import (
    break_occurrences,
    limit_occurrences,
    recompile_occurrences,
)
from validators.probes.switches import force_eager
from validators.worker import replay
from validators.worker.comparison import results
from validators.worker.target import Target, TargetError, compiled, copy_of, load

_DYNAMO = "torch._dynamo.convert_frame"
_MARK = "casebook::compiled"
_WARM_UPS = 3
_SECONDS = 8
"""How long calls are timed by turns."""

Found = dict[str, Any]


def diagnose(request: dict[str, Any]) -> Found:
    """What one part of a diagnosis finds; `{"unusable": sentence}` if the target cannot be used."""
    # What one part has compiled, later ones need not compile again.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    settings = replay.settings()
    try:
        target = load(request["target"], request["folder"], request["paths"])
        if request["part"] == "record":
            return replay.record(target, request["recording"])
        if request["recording"]:
            target = replay.with_recorded_calls(target, request["recording"])
        if request["part"] == "replay":
            return replay.replayed(target, request["recording"], request["compile"], settings)
        found = _PARTS[request["part"]](target, request["compile"])
    except TargetError as error:
        return {"unusable": str(error)}
    return {"calls": len(target.calls), "trains": target.trains, **found}


def _breaks(target: Target, options: dict[str, Any]) -> Found:
    """Graph breaks, recompiles and limits of all calls, made twice where eager mode can."""
    rounds = _rounds(target.again())
    calls = [item for _ in range(rounds) for item in _copies(target)]
    options = {"backend": "aot_eager", **_without_mode(options)}
    with (
        trace.tracing() as events,
        captured_log(_DYNAMO, level=30) as warnings,
    ):
        report = observe(target.run, calls, **options)
    return {
        "rounds": rounds,
        "breaks": break_occurrences(events),
        "compiled_share": None if report.exception else _compiled_share(target.again(), options),
        "recompiles": recompile_occurrences(events, _forward_of(target)),
        "limits": limit_occurrences(warnings),
        **_ran(report, len(target.calls)),
    }


def _without_mode(options: dict[str, Any]) -> dict[str, Any]:
    """The options for a backend that has no modes."""
    return {name: value for name, value in options.items() if name != "mode"}


def _rounds(target: Target) -> int:
    """How often eager mode makes all calls in a row, at most twice: a cache may be full after one.

    Raises:
        TargetError: a call of the first round raises.
    """
    for rounds in range(2):
        for number, item in enumerate(_copies(target)):
            try:
                with force_eager():
                    target.run(*item.args, **item.kwargs)
            except Exception as error:
                if rounds:
                    return rounds
                first = str(error).strip().split("\n")[0]
                raised = f"call {number} raises {type(error).__name__} without compiling: {first}"
                raise TargetError(f"{raised}; fix that first") from error
    return 2


def _compiled_share(target: Target, options: dict[str, Any]) -> float | None:
    """Which part of the ops of a warm forward pass runs inside of compiled graphs.

    None if the pass has no ops, or if a second round of calls is more than the target can do.
    """
    forward = target.model if target.model is not None else target.run
    run = torch.compile(forward, **{**options, "backend": _marked})
    torch._dynamo.reset()
    for item in _copies(target):
        run(*item.args, **item.kwargs)
    shares = []
    for item in _copies(target):
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            try:
                run(*item.args, **item.kwargs)
            except Exception:
                return None
        shares += [_inside(event) for event in profile.events() if event.name.startswith("aten::")]
    return sum(shares) / len(shares) if shares else None


def _marked(graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
    """The backend aot_eager, whose runs are marked in a profile."""
    real = torch._dynamo.lookup_backend("aot_eager")(graph, inputs)

    def run(*args: Any) -> Any:
        with torch.profiler.record_function(_MARK):
            return real(*args)

    return run


def _inside(event: Any) -> bool:
    while event is not None:
        if event.name == _MARK:
            return True
        event = event.cpu_parent
    return False


def _forward_of(target: Target) -> tuple[str, str, int]:
    """The name, file and line of the target's own function, below its decorators."""
    function = type(target.model).forward if target.model is not None else target.run
    code = getattr(inspect.unwrap(function), "__code__", None)
    return (code.co_name, code.co_filename, code.co_firstlineno) if code else ("", "", 0)


def _shapes(target: Target, options: dict[str, Any]) -> Found:
    """How many graphs the calls need as they are, and with dims that vary marked as dynamic.

    Dims that take the same sizes call by call, such as the batch of several inputs, are one group.
    """
    options = {"backend": "eager", **_without_mode(options)}
    groups: dict[tuple[int, ...], list[tuple[str, int]]] = defaultdict(list)
    for path, dim, sizes in _varying(target.calls):
        groups[tuple(sizes)].append((path, dim))

    def graphs(dims: list[tuple[str, int]]) -> int:
        calls = _copies(target)
        for item in calls:
            for path, dim in dims:
                torch._dynamo.maybe_mark_dynamic(_at(item, path), dim)
        return sum(observe(copied(target.run), calls, **options).compiled)

    varying = [
        {"sizes": list(sizes), "dims": dims, "graphs": graphs(dims)}
        for sizes, dims in groups.items()
    ]
    return {"graphs": graphs([]), "varying": varying}


def _latency(target: Target, options: dict[str, Any]) -> Found:
    """What the first call costs to compile, whole and with repeated blocks compiled one by one."""
    options = {"backend": "inductor", **options}
    whole = _timed(lambda: observe(copied(target.run), _copies(target)[:1], **options))
    found: Found = {"whole": whole, "blocks": _repeated(target.model), "regional": None}
    if target.model is not None and found["blocks"]:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
        found["regional"] = _timed(
            lambda: observe(
                target.run,
                _copies(target)[:1],
                compile=lambda run: _compile_blocks(target.model, run, options),
            )
        )
    return found


def _compile_blocks(model: Any, run: Any, options: dict[str, Any]) -> Any:
    for name in _repeated(model):
        owner, _, last = name.rpartition(".")
        parent = model.get_submodule(owner)
        # `Module.compile` leaves modules of torch.nn itself uncompiled on some releases.
        setattr(parent, last, torch.compile(model.get_submodule(name), **options))
    return run


def _repeated(model: torch.nn.Module | None) -> list[str]:
    """The names of the blocks that a model repeats: children of a list, of one class and sizes."""
    if model is None:
        return []
    found: list[str] = []
    for name, module in model.named_modules():
        if not isinstance(module, (torch.nn.ModuleList, torch.nn.Sequential)):
            continue
        if any(name.startswith(f"{block}.") for block in found):
            continue
        kinds = defaultdict(list)
        for child, block in module.named_children():
            sizes = tuple(tuple(it.shape) for it in block.parameters())
            if sizes:
                kinds[type(block), sizes].append(f"{name}.{child}" if name else child)
        found += [it for names in kinds.values() if len(names) > 1 for it in names]
    return found


def _gain(target: Target, options: dict[str, Any]) -> Found:
    """Seconds of eager, eager again and compiled calls, taken by turns after a warm-up."""
    options = {"backend": "inductor", **options}
    runs: dict[str, Callable[..., Any]] = {
        "eager": copied(target.run),
        "again": copied(target.run),
        "compiled": compiled(copied(target.run), options),
    }
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        for _ in range(_WARM_UPS):
            _seconds(run, target.calls[0])
    end = time.perf_counter() + _SECONDS
    while len(seconds["eager"]) < 5 or time.perf_counter() < end:
        for name, run in runs.items():
            seconds[name].append(_seconds(run, target.calls[0]))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return {"seconds": seconds, "medians": medians}


def _seconds(run: Callable[..., Any], item: Arguments) -> float:
    begun = time.perf_counter()
    run(*item.args, **item.kwargs)
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter() - begun


def _copies(target: Target) -> list[Arguments]:
    return [copy_of(it) for it in target.calls]


def _ran(report: Report, calls: int) -> Found:
    """The graphs of a report, the calls that ran eagerly, and the exception that ended them."""
    caught = report.exception
    return {
        "graphs": len(report.graphs),
        "eager_calls": [it for it in report.eager_calls if caught is None or it != caught.call],
        "raised": None if caught is None else {**vars(caught), "call": caught.call % calls},
    }


def _timed(run: Callable[[], Report]) -> Found:
    # Compilers of C++ are children.
    begun = sum(os.times()[:4]), time.perf_counter()
    report = run()
    cpu, wall = sum(os.times()[:4]) - begun[0], time.perf_counter() - begun[1]
    raised = report.exception
    return {
        "graphs": len(report.graphs),
        "ops": report.ops,
        "cpu_seconds": cpu,
        "seconds": wall,
        "raised": None if raised is None else f"{raised.type}: {raised.message}",
    }


def _varying(calls: tuple[Arguments, ...]) -> list[tuple[str, int, list[int]]]:
    """The input dims whose size differs between calls, as (path, dim, sizes)."""
    shapes: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for item in calls:
        for path, value in _tensors(item):
            shapes[path].append(tuple(value.shape))
    found = []
    for path, seen in shapes.items():
        if len(seen) < len(calls) or len({len(it) for it in seen}) > 1:
            continue
        for dim in range(len(seen[0])):
            sizes = [it[dim] for it in seen]
            if len(set(sizes)) > 1:
                found.append((path, dim, sizes))
    return found


def _tensors(item: Arguments) -> Iterator[tuple[str, torch.Tensor]]:
    leaves, _ = pytree.tree_flatten_with_path((item.args, item.kwargs))
    for path, value in leaves:
        if isinstance(value, torch.Tensor):
            # The first key only says whether the argument has a name.
            yield pytree.keystr(path[1:]).strip("[]'\"") or "0", value


def _at(item: Arguments, path: str) -> torch.Tensor:
    return dict(_tensors(item))[path]


_PARTS: dict[str, Callable[[Target, dict[str, Any]], Found]] = {
    "breaks": _breaks,
    "latency": _latency,
    "results": results,
    "shapes": _shapes,
    "gain": _gain,
}
