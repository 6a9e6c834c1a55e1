"""What a report holds, aspect by aspect, as lines for readers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from validators.evidence.quantities import count, seconds
from validators.probes.report import Cache, Graph, GraphInput, Report

SHOWN_INPUTS = 6
SHOWN_LINES = 8
"""The most graphs, ops, breaks or recompiles to list; the others are only counted."""
_MODULE_TENSOR = re.compile(r"_(parameters|buffers)_")
Shown = list[str]


def _graphs(report: Report) -> Shown:
    return _counted([_graph(graph) for graph in report.graphs])


def _graph(graph: Graph) -> str:
    inputs = _inputs(graph.inputs)
    place = f" at {graph.file}:{graph.line}" if graph.file else ""
    ran = f"{count(graph.ops, 'op')}, ran {count(graph.executions, 'time')}"
    return f"{graph.compile_id or 'graph'}{place}: {ran}" + (f"; {inputs}" if inputs else "")


def _counted(lines: Shown) -> Shown:
    """The number of `lines`, and the first of them."""
    if len(lines) <= SHOWN_LINES + 1:
        return [str(len(lines)), *lines]
    return [str(len(lines)), *lines[:SHOWN_LINES], f"and {len(lines) - SHOWN_LINES} more"]


def _inputs(inputs: Sequence[GraphInput]) -> str:
    """The inputs that calls pass; a module's own tensors are only counted."""
    passed = [i for i in inputs if not _MODULE_TENSOR.search(i.name)][:SHOWN_INPUTS]
    words = [
        f"{i.name}[{', '.join(map(str, i.shape))}] {i.dtype.removeprefix('torch.')}" for i in passed
    ]
    if len(passed) < len(inputs):
        words.append(f"{count(len(inputs) - len(passed), 'other input')}")
    return ", ".join(words)


def _ops(report: Report) -> Shown:
    totals: Counter[str] = Counter()
    for graph in report.graphs:
        totals.update(graph.targets)
    most = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{number}x {target}" for target, number in most[:SHOWN_LINES]]
    if len(most) > SHOWN_LINES:
        lines.append(f"and {count(len(most) - SHOWN_LINES, 'other kind')}")
    return [str(report.ops), *lines]


def _breaks(report: Report) -> Shown:
    lines = []
    for item in report.graph_breaks:
        ids = " ← ".join(dict.fromkeys(i for i in (item.id, item.cause_id) if i))
        frame = " (frame skipped)" if item.skipped_frame else ""
        words = [ids, item.type, f"at {item.file}:{item.line}{frame}"]
        reason = _first_line(item.reason)
        lines.append(" ".join(filter(None, words)) + (f": {reason}" if reason else ""))
    return _counted(lines)


def _recompiles(report: Report) -> Shown:
    lines = [
        f"{item.function} ({item.compile_id}): {'; '.join(item.reasons)}"
        for item in report.recompiles
    ]
    limit = ["the recompile limit was hit"] if report.recompile_limit_hit else []
    return _counted(lines) + limit


def _calls(report: Report) -> Shown:
    if not report.calls:
        return []
    compiled = ", ".join(str(call.compiled) for call in report.calls)
    lines = [str(len(report.calls)), f"graphs compiled in each: {compiled}"]
    if report.eager_calls and not report.eager:
        calls = ", ".join(f"call {index}" for index in report.eager_calls)
        lines.append(f"no compiled graph ran in {calls}")
    return lines + (["eager by intent"] if report.eager else [])


def _differences(report: Report) -> Shown:
    lines = []
    for index, call in enumerate(report.calls):
        values = [(what, getattr(call.difference, name, None)) for name, what in _DIFFERENCES]
        words = [f"{what} {value:.3g}" for what, value in values if value is not None]
        if words:
            lines.append(f"call {index}: {', '.join(words)}")
    return lines


_DIFFERENCES = (
    ("eager", "from eager"),
    ("compiled_float64", "from float64"),
    ("eager_float64", "eager from float64"),
    ("gradients_eager", "gradients from eager"),
)


def _mutated(report: Report) -> Shown:
    return [
        f"{item.name} of graph {item.graph} in call {item.call}" for item in report.mutated_inputs
    ]


def _cudagraphs(report: Report) -> Shown:
    seen = report.cudagraphs
    if not seen:
        return []
    counts = f"{count(seen.recordings, 'recording')}, {count(seen.replays, 'replay')}"
    if seen.recordings < 0:
        counts = "nothing was recorded, since there was no GPU"
    lines = [counts, *(f"skipped: {_first_line(skip)}" for skip in seen.skips)]
    if seen.overwritten_outputs > 0:
        lines.append(f"{count(seen.overwritten_outputs, 'output')} overwritten")
    return lines


def _cache(report: Report) -> Shown:
    seen = report.cache
    if not seen or seen == Cache(0, 0, 0, 0):
        return []
    return [
        f"FX graph cache: {count(seen.fx_hits, 'hit')}, {seen.fx_misses} missed",
        f"AOTAutograd cache: {count(seen.aot_hits, 'hit')}, {seen.aot_misses} missed",
    ]


def _exception(report: Report) -> Shown:
    caught = report.exception
    if not caught:
        return []
    id_ = f" ({caught.break_id})" if caught.break_id else ""
    return [f"{caught.type}{id_} in call {caught.call}", caught.message]


def _backward(report: Report) -> Shown:
    ran = report.backward_executions
    return [f"ran {count(ran, 'time')}"] if ran else []


def times(report: Report) -> Shown:
    """The times that were measured, by their names."""
    return [
        f"{name}: {seconds(min(values))} at best of {len(values)}"
        for name, values in sorted(report.times.items())
        if values
    ]


def memory(report: Report) -> Shown:
    """The sizes that were measured, by their names."""
    return [f"{name}: {size / 2**20:,.1f} MiB" for name, size in sorted(report.memory.items())]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


ASPECTS: tuple[tuple[str, Callable[[Report], Shown], bool], ...] = (
    ("Calls", _calls, False),
    ("Graphs", _graphs, False),
    ("Ops", _ops, False),
    ("Graph breaks", _breaks, False),
    ("Recompiles", _recompiles, False),
    ("Mutated inputs", _mutated, False),
    ("CUDA graphs", _cudagraphs, False),
    ("Backward graphs", _backward, False),
    ("Exception", _exception, True),
    ("Outputs", _differences, False),
    ("Caches", _cache, False),
)
