"""Numbers that the probes counted in both arms, and which of them a proof's predicate reads."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from validators.catalog.proof import Proof

ReportData = dict[str, Any]


@dataclass(frozen=True)
class Measure:
    """One number of a report; `words` are the attributes by which `shows` gets at it."""

    name: str
    words: frozenset[str]
    read: Callable[[ReportData], Any]
    unit: str = ""

    def of(self, report: ReportData) -> float | None:
        """The number, or None where the report has none that can be drawn."""
        return number(self.read(report))


def number(value: Any) -> float | None:
    """`value` where it is a number from 0 to one that a page has room for."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < 1e15 and math.isfinite(value) else None


def measures(symptom: ReportData, remedy: ReportData, read: frozenset[str]) -> Iterator[Measure]:
    """The measures of two reports that `read` names, the probes' own first."""
    yield from (measure for measure in _COUNTED if measure.words & read)
    if "compiled" in read and max(len(compiled(report)) for report in (symptom, remedy)) < 2:
        yield _measure("Graphs compiled", "compiled", lambda report: sum(compiled(report)))
    for field, word, unit in (("memory", "Memory", "MiB"), ("facts", "Fact", "")):
        names = sorted({name for report in (symptom, remedy) for name in _field(report, field)})
        asked = [name for name in names if name in read] or names
        for name in asked if field in read else ():
            many = any(
                isinstance(_field(report, field).get(name), list) for report in (symptom, remedy)
            )
            title = f"{word}: {name}{', how many' if many else ''}"
            yield _measure(title, field, _item(field, name), unit)


def compiled(report: ReportData) -> list[int]:
    """How many graphs each call compiled."""
    return [int(call["compiled"]) for call in report.get("calls", [])]


def words_read(proof: Proof) -> frozenset[str]:
    """The attributes and the strings in `shows` and in the functions of the proof that it uses."""
    functions, found = proof.functions, set[str]()
    waiting = ["shows"]
    while waiting:
        function = functions.pop(waiting.pop(), None)
        for node in ast.walk(function) if function else ():
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.Name):
                waiting.append(node.id)
    return frozenset(found)


def _measure(name: str, words: str, read: Callable[[ReportData], Any], unit: str = "") -> Measure:
    return Measure(name, frozenset(words.split()), read, unit)


def _field(report: ReportData, field: str) -> dict[str, Any]:
    found: dict[str, Any] = report.get(field) or {}
    return found


def _item(field: str, name: str) -> Callable[[ReportData], Any]:
    def read(report: ReportData) -> Any:
        value = _field(report, field).get(name)
        if isinstance(value, list):
            return len(value)
        return value / 2**20 if field == "memory" and isinstance(value, int) else value

    return read


def _length(field: str) -> Callable[[ReportData], Any]:
    return lambda report: len(report[field]) if field in report else None


def _cudagraphs(field: str) -> Callable[[ReportData], Any]:
    def read(report: ReportData) -> Any:
        value = (report.get("cudagraphs") or {}).get(field)
        return len(value) if isinstance(value, list) else value

    return read


def _cache(field: str) -> Callable[[ReportData], Any]:
    return lambda report: (report.get("cache") or {}).get(field)


def _difference(field: str) -> Callable[[ReportData], Any]:
    def read(report: ReportData) -> Any:
        differences = [call.get("difference") or {} for call in report.get("calls", [])]
        compared = [found[field] for found in differences if found.get(field) is not None]
        # Results that could not be subtracted have no number, whatever the other calls say.
        whole = all(number(value) is not None for value in compared)
        return max(compared, default=None) if whole else None

    return read


def _eager_calls(report: ReportData) -> Any:
    calls = report.get("calls")
    return None if calls is None else sum(call["executions"] == 0 for call in calls)


def _symbols(report: ReportData) -> Any:
    return sum(len(graph["symbols"]) for graph in report.get("graphs", []))


_COUNTED = (
    _measure("Graph breaks", "graph_breaks break_ids", _length("graph_breaks")),
    _measure("Recompiles", "recompiles", _length("recompiles")),
    _measure("Graphs", "graphs", _length("graphs")),
    _measure("Ops", "ops targets", lambda report: report.get("ops")),
    _measure("Symbols in graphs", "symbols", _symbols),
    _measure("Mutated inputs", "mutated_inputs", _length("mutated_inputs")),
    _measure("CUDA graph skips", "skips", _cudagraphs("skips")),
    _measure("CUDA graph recordings", "recordings", _cudagraphs("recordings")),
    _measure("CUDA graph replays", "replays", _cudagraphs("replays")),
    _measure("Overwritten outputs", "overwritten_outputs", _cudagraphs("overwritten_outputs")),
    _measure("Calls that ran no graph", "executions eager_calls", _eager_calls),
    _measure(
        "Backward graphs that ran",
        "backward_executions",
        lambda report: report.get("backward_executions"),
    ),
    _measure("FX graph cache hits", "fx_hits", _cache("fx_hits")),
    _measure("FX graph cache misses", "fx_misses", _cache("fx_misses")),
    _measure("AOTAutograd cache hits", "aot_hits", _cache("aot_hits")),
    _measure("AOTAutograd cache misses", "aot_misses", _cache("aot_misses")),
    _measure("Difference from eager", "difference", _difference("eager")),
    _measure("Difference from float64", "compiled_float64", _difference("compiled_float64")),
    _measure("Eager's from float64", "eager_float64", _difference("eager_float64")),
    _measure("Gradients, from eager", "gradients_eager", _difference("gradients_eager")),
)
