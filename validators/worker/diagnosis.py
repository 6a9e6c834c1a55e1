"""The parts of a diagnosis: each runs a user's target once more, in a process of its own."""

from __future__ import annotations

import inspect
import json
import os
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import torch.utils._pytree as pytree
from torch._logging import structured

from validators.probes import Report, captured_log, observe, trace
from validators.probes.arguments import Arguments
from validators.probes.breaks import parse_break
from validators.probes.differences import copied, copied_inputs, distance
from validators.probes.observation import LIBRARIES
from validators.probes.places import frames
from validators.probes.switches import force_eager
from validators.worker import replay
from validators.worker.target import Target, TargetError, compiled, load

_DYNAMO = "torch._dynamo.convert_frame"
_LIMIT = re.compile(r"function: '(?P<function>\S+) \((?P<file>.+):(?P<line>\d+)\)'")
_STANDARD = re.compile(r"/lib/python3\.\d+/(?!site-packages|dist-packages)|<frozen ")

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
    found: dict[str, Found] = {}
    for event in trace._breaks(events):
        seen = parse_break(event.payload, False, LIBRARIES)
        place = _places(event.payload)
        key = f"{place[:1]} {seen.id} {seen.type}"
        known = found.setdefault(
            key,
            {"id": seen.id, "type": seen.type, "text": seen.reason, "places": place, "count": 0},
        )
        known["count"] += 1
    return {
        "rounds": rounds,
        "breaks": list(found.values()),
        "compiled_share": None if report.exception else _compiled_share(target.again(), options),
        "recompiles": _recompiles(events, _forward_of(target)),
        "limits": [_limit(it) for it in warnings if "recompile_limit" in it or "cache_size" in it],
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


def _results(target: Target, options: dict[str, Any]) -> Found:
    """How far the compiled calls are from eager's, eager's from itself, and both from float64's.

    All runs start from the same parameters, and each call from the same random numbers. Distances
    are relative to the largest magnitude of what eager computes, if that exceeds 1.
    """
    options = {"backend": "inductor", **options}
    # Inductor draws other random numbers than eager mode, and Dynamo leaves NumPy's alone.
    torch._inductor.config.fallback_random = True
    torch._dynamo.config.use_numpy_random_stream = True
    references = [_twin(target), _twin(target)]
    exact = _in_double(_twin(target)) if target.model is not None and not target.trains else None
    torch._dynamo.reset()
    run = compiled(target.run, options)
    found: list[Found] = []
    for number, item in enumerate(target.calls):
        with force_eager():
            eager, again = [_answer(it, it.run, item) for it in references]
        try:
            answer = _answer(target, run, item)
        except Exception as error:
            kind = type(error)
            caught = {"type": f"{kind.__module__}.{kind.__qualname__}", "message": str(error)}
            return {"differences": found, "raised": {**caught, "call": number, "break_id": ""}}
        found.append({"eager": _distance(answer, eager), "noise": _distance(again, eager)})
        if exact is not None and (double := _double_answer(exact, item)) is not None:
            found[-1]["compiled_float64"] = _distance(answer, double)
            found[-1]["eager_float64"] = _distance(eager, double)
    return {"differences": found, "raised": None}


def _twin(target: Target) -> Target:
    """The target made once more, with the same parameters."""
    twin = target.again()
    if twin.model is not None and target.model is not None:
        twin.model.load_state_dict(target.model.state_dict())
    return twin


def _answer(target: Target, run: Callable[..., Any], given: Arguments) -> list[torch.Tensor]:
    """The tensors and numbers that a call computes; a training step's gradients among them."""
    replay.seed()
    item = Arguments(*copied_inputs((given.args, given.kwargs)))
    values = pytree.tree_leaves(run(*item.args, **item.kwargs))
    if target.trains and target.model is not None:
        values += [it.grad for it in target.model.parameters() if it.grad is not None]
    kept = [it for it in values if isinstance(it, (torch.Tensor, bool, int, float))]
    return [torch.as_tensor(it).detach().clone() for it in kept]


def _in_double(target: Target) -> Target:
    assert target.model is not None
    target.model.double()
    return target


def _double_answer(target: Target, item: Arguments) -> list[torch.Tensor] | None:
    """The answer in float64; None if the code names another dtype."""

    def double(value: Any) -> Any:
        floats = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.double() if floats else value

    args, kwargs = pytree.tree_map(double, (item.args, item.kwargs))
    try:
        with force_eager():
            return _answer(target, target.run, Arguments(args, kwargs))
    except RuntimeError:
        return None


def _distance(one: list[torch.Tensor], other: list[torch.Tensor]) -> float | None:
    """The largest distance of two answers; None if they cannot be subtracted."""
    if [it.shape for it in one] != [it.shape for it in other]:
        return None
    gaps = [
        distance(a, b, kind=False) / max(1.0, _magnitude(b))
        for a, b in zip(one, other, strict=True)
    ]
    return max(gaps, default=0.0)


def _magnitude(values: torch.Tensor) -> float:
    finite = values[values.isfinite()].abs() if values.numel() else values
    return float(finite.max()) if finite.numel() else 0.0


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
    every = [it for dims in groups.values() for it in dims]
    together = graphs(every) if len(groups) > 1 else None
    return {"graphs": graphs([]), "varying": varying, "together": together}


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
    """The calls with tensors of their own, so that no part sees what another changed."""
    return [Arguments(*copied_inputs((it.args, it.kwargs))) for it in target.calls]


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


def _recompiles(events: Any, outermost: tuple[str, str, int]) -> list[Found]:
    """One entry per function and guard, however often it recompiled.

    `outermost` stands for torch's own frame around a decorated forward.
    """
    files = {number: file for file, number in structured.INTERN_TABLE.items()}
    started = {event.compile_id: event.metadata for event in events.named("dynamo_start")}
    found: dict[tuple[str, int, str], Found] = {}
    for event in events.named("recompile_reasons"):
        if event.compile_id not in started:
            continue
        frame = (started[event.compile_id].get("stack") or [{}])[-1]
        name, file = str(frame.get("name", "")), files.get(frame.get("filename"), "")
        line = int(frame.get("line", 0))
        if file.startswith(LIBRARIES):
            name, file, line = outermost
        reasons = _told(event.payload)
        guard = _guard(reasons[0]) if reasons else ""
        key = (file, line, re.sub(r"\d+", "N", guard))
        first = {"function": name, "file": file, "line": line, "guard": guard, "count": 0}
        known = found.setdefault(key, {**first, "text": _said(name, file, line, reasons)})
        known["count"] += 1
    return list(found.values())


def _told(payload: str) -> list[str]:
    """The reasons of a recompilation: a JSON list of texts, or one as plain text."""
    try:
        told = json.loads(payload)
    except ValueError:
        told = payload
    return [it.strip() for it in ([told] if isinstance(told, str) else told)]


def _guard(reason: str) -> str:
    """The guard that failed, without the id of its graph and the comment."""
    first = reason.split("\n")[0].partition("  #")[0]
    return re.sub(r"^\d+/\d+: ", "", first).strip()


def _said(name: str, file: str, line: int, reasons: list[str]) -> str:
    """A recompilation in the words of `TORCH_LOGS=recompiles`."""
    lines = [
        f"Recompiling function {name} in {file}:{line}",
        "    triggered by the following guard failure(s):",
    ]
    return "\n".join([*lines, *(f"    - {reason}" for reason in reasons)])


def _limit(message: str) -> Found:
    place = _LIMIT.search(message)
    where = place.groupdict() if place else {"function": "", "file": "", "line": "0"}
    return {**where, "line": int(where["line"]), "text": message}


def _places(payload: str) -> list[Found]:
    """The frames of a break that are not torch's, Python's or ours, innermost first."""
    text = payload.partition("Traceback (most recent call last)")[0]
    header = re.search(r"^Graph break in user code at (.+):(\d+)$", text, re.MULTILINE)
    stack = frames(text.partition("User code traceback:")[2] or text)
    found = [*([(header[1], header[2])] if header else []), *stack]
    kept = [it for it in found if not it[0].startswith(LIBRARIES) and not _STANDARD.search(it[0])]
    ours = str(Path(__file__).parent)
    kept = [it for it in kept or found[:1] if not it[0].startswith(ours)]
    return [{"file": file, "line": int(line)} for file, line in dict.fromkeys(kept)]


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
    "results": _results,
    "shapes": _shapes,
    "gain": _gain,
}
