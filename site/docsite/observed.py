"""What the probes saw, as rows that set the symptom beside the remedy."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from docsite.measures import ReportData
from docsite.status import Standing
from docsite.svg import seconds
from validators.errors import CasebookError
from validators.evidence import Record
from validators.evidence.columns import Column

SHOWN_INPUTS = 6
SHOWN_LINES = 8
"""Of more graphs, breaks or recompiles than this the others are only counted."""
_MODULE_TENSOR = re.compile(r"_(parameters|buffers)_")
Shown = list[str]


@dataclass(frozen=True)
class Row:
    """One aspect; each side is a list of lines of text, and `code` says that they are code."""

    name: str
    symptom: Shown
    remedy: Shown
    code: bool = False


@dataclass(frozen=True)
class Observation:
    """What was seen, and all the columns where exactly this was seen, newest release first.

    `noise` is the first column's: times and memory are never seen twice. `like` is the column
    whose rows hold here, too, but for those of this observation.
    """

    columns: list[Column]
    rows: list[Row]
    noise: list[Row]
    stale: bool
    like: Column | None = None


def observations(standing: Standing) -> list[Observation]:
    """The case's records, newest release first, equal ones together.

    All but the first hold the rows in which they differ from it.
    """
    found: list[Observation] = []
    for cell in reversed(standing.cells):
        if cell.record is None or not (cell.record.symptom or cell.record.remedy):
            continue
        with probes_only(cell.record.case, cell.record.column):
            rows, noise = list(_rows(cell.record)), list(_noise(cell.record))
        seen = Observation([cell.column], rows, noise, cell.state.key == "stale")
        same = next((o for o in found if (o.rows, o.stale) == (seen.rows, seen.stale)), None)
        if same:
            same.columns.append(cell.column)
        else:
            found.append(seen)
    return [*found[:1], *(_as_difference(found[0], other) for other in found[1:])]


def _as_difference(first: Observation, other: Observation) -> Observation:
    mine = {row.name: row for row in other.rows}
    theirs = {row.name: row for row in first.rows}
    rows = [
        mine.get(name, Row(name, [], []))
        for name in {**theirs, **mine}
        if mine.get(name) != theirs.get(name)
    ]
    return replace(other, rows=rows, like=first.columns[0])


@contextlib.contextmanager
def probes_only(case: str, column: str) -> Iterator[None]:
    """Say of a report in a shape that no probe gives it how to be rid of it.

    Raises:
        CasebookError: reading the report failed.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise CasebookError(
            f"the evidence of {case} in {column} holds a report that no probe wrote; "
            "delete its line and run the case again"
        ) from None


def _rows(record: Record) -> Iterator[Row]:
    symptom, remedy = record.symptom or {}, record.remedy or {}
    if record.shows:
        said = {name: ["yes" if shown else "no"] for name, shown in record.shows.items()}
        yield Row("Symptom shows", said.get("symptom", []), said.get("remedy", []))
    # Of arms that only read facts nothing was counted, so that counts of 0 would say too much.
    empty = set() if symptom.get("calls") or remedy.get("calls") else {"0"}
    for name, read, code in _ASPECTS:
        row = Row(name, read(symptom), read(remedy), code)
        if {*row.symptom, *row.remedy} - empty:
            yield row
    for name in sorted({*symptom.get("facts", {}), *remedy.get("facts", {})}):
        values = _fact(symptom.get("facts", {}), name), _fact(remedy.get("facts", {}), name)
        yield Row(name, *values, True)


def _noise(record: Record) -> Iterator[Row]:
    for name, read in (("Times", _times), ("Memory", _memory)):
        row = Row(name, read(record.symptom or {}), read(record.remedy or {}))
        if row.symptom or row.remedy:
            yield row


def _fact(facts: dict[str, Any], name: str) -> Shown:
    if name not in facts:
        return []
    value = facts[name]
    return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]


def _graphs(report: ReportData) -> Shown:
    graphs = report.get("graphs", [])
    if "graphs" not in report:
        return []
    return [str(len(graphs)), *_shortened([_graph(graph) for graph in graphs])]


def _graph(graph: dict[str, Any]) -> str:
    inputs = _inputs(graph.get("inputs", []))
    place = f" at {graph['file']}:{graph['line']}" if graph.get("file") else ""
    return (
        f"{graph.get('compile_id') or 'graph'}{place}: {_count(graph.get('ops', 0), 'op')}, "
        f"ran {_count(graph.get('executions', 0), 'time')}" + (f"; {inputs}" if inputs else "")
    )


def _shortened(lines: Shown) -> Shown:
    if len(lines) <= SHOWN_LINES + 1:
        return lines
    return [*lines[:SHOWN_LINES], f"and {len(lines) - SHOWN_LINES} more"]


def _inputs(inputs: list[dict[str, Any]]) -> str:
    """The inputs that calls pass; a module's own tensors are only counted."""
    passed = [i for i in inputs if not _MODULE_TENSOR.search(i["name"])][:SHOWN_INPUTS]
    words = [
        f"{i['name']}[{', '.join(map(str, i['shape']))}] {i['dtype'].removeprefix('torch.')}"
        for i in passed
    ]
    if len(passed) < len(inputs):
        words.append(f"{_count(len(inputs) - len(passed), 'other input')}")
    return ", ".join(words)


def _ops(report: ReportData) -> Shown:
    if "ops" not in report:
        return []
    totals: dict[str, int] = {}
    for graph in report.get("graphs", []):
        for target, count in graph.get("targets", {}).items():
            totals[target] = totals.get(target, 0) + count
    most = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{count}x {target}" for target, count in most[:8]]
    if len(most) > 8:
        lines.append(f"and {_count(len(most) - 8, 'other kind')}")
    return [str(report["ops"]), *lines]


def _breaks(report: ReportData) -> Shown:
    if "graph_breaks" not in report:
        return []
    lines = []
    for item in report["graph_breaks"]:
        ids = " ← ".join(dict.fromkeys(i for i in (item["id"], item["cause_id"]) if i))
        frame = " (frame skipped)" if item.get("skipped_frame") else ""
        words = [ids, item["type"], f"at {item['file']}:{item['line']}{frame}"]
        reason = _first_line(item.get("reason", ""))
        lines.append(" ".join(filter(None, words)) + (f": {reason}" if reason else ""))
    return [str(len(lines)), *_shortened(lines)]


def _recompiles(report: ReportData) -> Shown:
    if "recompiles" not in report:
        return []
    lines = [
        f"{item['function']} ({item['compile_id']}): {'; '.join(item['reasons'])}"
        for item in report["recompiles"]
    ]
    lines = _shortened(lines)
    if report.get("recompile_limit_hit"):
        lines.append("the recompile limit was hit")
    return [str(len(report["recompiles"])), *lines]


def _calls(report: ReportData) -> Shown:
    calls = report.get("calls", [])
    if not calls:
        return []
    compiled = ", ".join(str(call["compiled"]) for call in calls)
    lines = [str(len(calls)), f"graphs compiled in each: {compiled}"]
    eager = [i for i, call in enumerate(calls) if call["executions"] == 0]
    if eager and not report.get("eager"):
        lines.append(f"no compiled graph ran in {', '.join(f'call {i}' for i in eager)}")
    return lines + (["eager by intent"] if report.get("eager") else [])


def _differences(report: ReportData) -> Shown:
    lines = []
    for index, call in enumerate(report.get("calls", [])):
        known = {k: v for k, v in (call.get("difference") or {}).items() if v is not None}
        words = [f"{_DIFFERENCES.get(key, key)} {value:.3g}" for key, value in known.items()]
        if words:
            lines.append(f"call {index}: {', '.join(words)}")
    return lines


_DIFFERENCES = {
    "eager": "from eager",
    "compiled_float64": "from float64",
    "eager_float64": "eager from float64",
    "gradients_eager": "gradients from eager",
}


def _mutated(report: ReportData) -> Shown:
    return [
        f"{item['name']} of graph {item['graph']} in call {item['call']}"
        for item in report.get("mutated_inputs", [])
    ]


def _cudagraphs(report: ReportData) -> Shown:
    seen = report.get("cudagraphs")
    if not seen:
        return []
    counts = f"{_count(seen['recordings'], 'recording')}, {_count(seen['replays'], 'replay')}"
    lines = [counts, *(f"skipped: {_first_line(skip)}" for skip in seen["skips"])]
    if seen.get("overwritten_outputs"):
        lines.append(f"{_count(seen['overwritten_outputs'], 'output')} overwritten")
    return lines


def _cache(report: ReportData) -> Shown:
    seen = report.get("cache")
    if not seen or not any(seen.values()):
        return []
    return [
        f"FX graph cache: {_hits(seen, 'fx')}",
        f"AOTAutograd cache: {_hits(seen, 'aot')}",
    ]


def _hits(seen: dict[str, int], kind: str) -> str:
    return f"{_count(seen[f'{kind}_hits'], 'hit')}, {seen[f'{kind}_misses']} missed"


def _exception(report: ReportData) -> Shown:
    caught = report.get("exception")
    if not caught:
        return []
    id_ = f" ({caught['break_id']})" if caught.get("break_id") else ""
    return [f"{caught['type']}{id_} in call {caught['call']}", caught["message"]]


def _backward(report: ReportData) -> Shown:
    count = report.get("backward_executions")
    return [f"ran {_count(count, 'time')}"] if count else []


def _times(report: ReportData) -> Shown:
    return [
        _time(name, values) for name, values in sorted(report.get("times", {}).items()) if values
    ]


def _time(name: str, values: list[float]) -> str:
    if name == "compile":  # of different graphs, so no one of them stands for all
        return f"{_count(len(values), 'compilation')}: {sum(values):.3g} s together"
    return f"{name}: {seconds(min(values))} at best of {len(values)}"


def _memory(report: ReportData) -> Shown:
    return [
        f"{name}: {size / 2**20:,.1f} MiB"
        for name, size in sorted(report.get("memory", {}).items())
    ]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


_ASPECTS: tuple[tuple[str, Callable[[ReportData], Shown], bool], ...] = (
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
