"""The numbers by which `shows` tells the two arms apart, column by column."""

from __future__ import annotations

import ast
import math
import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from docsite.pages.quantities import seconds, written
from docsite.status import Cell, Standing
from validators.catalog.proof import Proof
from validators.evidence.columns import Column, listed
from validators.probes.report import Cache, Call, Cudagraphs, Difference, Report

_MOST_CALLS = 60


@dataclass(frozen=True)
class Reading:
    """A number of one arm: in words, and as the value that a bar shows."""

    text: str
    value: float


Pair = tuple[Reading, Reading]


@dataclass
class Measure:
    """One number that `shows` reads, of both arms in each column."""

    title: str
    pairs: list[tuple[Column, Pair]] = field(default_factory=list)

    @property
    def groups(self) -> list[tuple[str, Pair]]:
        """The pairs, equal ones together under the names of their columns."""
        found: dict[Pair, list[Column]] = {}
        for column, pair in self.pairs:
            found.setdefault(pair, []).append(column)
        return [(listed(columns), pair) for pair, columns in found.items()]

    def percent(self, reading: Reading) -> int:
        """The length of a reading's bar, in percent of the longest."""
        most = max(it.value for _, pair in self.pairs for it in pair)
        return round(100 * reading.value / most) if most else 0

    def sentence(self, arms: tuple[str, str]) -> str:
        """The measure in words; `arms` names the two sides."""
        groups = [
            (f"On torch {label}: " if len(self.groups) > 1 else "")
            + "; ".join(f"{arm} {it.text}" for arm, it in zip(arms, pair, strict=True))
            for label, pair in self.groups
        ]
        return f"{self.title}. {'. '.join(groups)}."


def measures(standing: Standing, proof: Proof) -> list[Measure]:
    """The numbers that `shows` reads and that differ between the arms in some column.

    Other differences would not explain the verdict.
    """
    seen = list(_reports(cell for cell in standing.cells if cell.state.key != "stale"))
    read, found = names_read(proof), dict[str, Measure]()
    for column, symptom, remedy in seen or _reports(standing.cells):
        for title, one, other in _readings(symptom, remedy, read):
            found.setdefault(title, Measure(title)).pairs.append((column, (one, other)))
    return [it for it in found.values() if any(a.text != b.text for _, (a, b) in it.pairs)]


def _reports(cells: Iterable[Cell]) -> Iterator[tuple[Column, Report, Report]]:
    for cell in cells:
        if cell.record:
            symptom, remedy = cell.record.report("symptom"), cell.record.report("remedy")
            if symptom and remedy:
                yield cell.column, symptom, remedy


def names_read(proof: Proof) -> frozenset[str]:
    """The attributes and the strings in `shows` and in the functions of the proof that it uses."""
    functions, found = proof.functions, set[str]()
    to_read = ["shows"]
    while to_read:
        function = functions.pop(to_read.pop(), None)
        for node in ast.walk(function) if function else ():
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, ast.Name):
                to_read.append(node.id)
    return frozenset(found)


def _readings(
    symptom: Report, remedy: Report, read: frozenset[str]
) -> Iterator[tuple[str, Reading, Reading]]:
    """What both arms say of each number that `read` names, the probes' own first."""
    for title, names, value in _COUNTED:
        if read & {*names.split()}:
            yield from _both(title, value(symptom), value(remedy))
    if "compiled" in read and max(len(symptom.calls), len(remedy.calls)) <= _MOST_CALLS:
        many = max(len(symptom.calls), len(remedy.calls)) > 1
        title = "Graphs compiled" + (" in each call" if many else "")
        yield title, _compiled(symptom.calls), _compiled(remedy.calls)
    for name in _asked({*symptom.memory} | {*remedy.memory}, "memory", read):
        sizes = (report.memory.get(name) for report in (symptom, remedy))
        one, other = (size if size is None else size / 2**20 for size in sizes)
        yield from _both(f"Memory: {name}", one, other, " MiB")
    for name in _asked({*symptom.facts} | {*remedy.facts}, "facts", read):
        facts = [report.facts.get(name) for report in (symptom, remedy)]
        many = any(isinstance(fact, list) for fact in facts)
        one, other = (len(it) if isinstance(it, list) else _number(it) for it in facts)
        yield from _both(f"Fact: {name}{', how many' if many else ''}", one, other)
    for name in _asked({*symptom.times} & {*remedy.times}, "times", read):
        if symptom.times[name] and remedy.times[name]:
            yield f"Time: {name}", _samples(symptom.times[name]), _samples(remedy.times[name])


def _asked(names: set[str], field: str, read: frozenset[str]) -> list[str]:
    """The names of `field` that `read` holds; all of them if it names only the field."""
    return (sorted(names & read) or sorted(names)) if field in read else []


def _both(
    title: str, one: float | None, other: float | None, unit: str = ""
) -> Iterator[tuple[str, Reading, Reading]]:
    if one is not None and other is not None and _fits(one) and _fits(other):
        yield title, *(Reading(written(value) + unit, value) for value in (one, other))  # type: ignore[misc]


def _fits(value: float) -> bool:
    """Whether a page has room for the number."""
    return 0 <= value < 1e15 and math.isfinite(value)


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _compiled(calls: tuple[Call, ...]) -> Reading:
    counts = [call.compiled for call in calls]
    return Reading(", ".join(map(str, counts)) or "no call", sum(counts))


def _samples(times: list[float]) -> Reading:
    low, middle, high = min(times), statistics.median(times), max(times)
    spread = f"of {len(times)} samples from {seconds(low)} to {seconds(high)}"
    return Reading(f"median {seconds(middle)} {spread}", middle)


def _cudagraphs(read: Callable[[Cudagraphs], int]) -> Callable[[Report], int | None]:
    return lambda report: read(report.cudagraphs) if report.cudagraphs else None


def _cache(read: Callable[[Cache], int]) -> Callable[[Report], int | None]:
    return lambda report: read(report.cache) if report.cache else None


def _difference(read: Callable[[Difference], float | None]) -> Callable[[Report], float | None]:
    def largest(report: Report) -> float | None:
        seen = [read(call.difference) for call in report.calls if call.difference]
        known = [value for value in seen if value is not None]
        # Results that could not be subtracted have no number, whatever the other calls say.
        return max(known, default=None) if all(map(math.isfinite, known)) else None

    return largest


_COUNTED: tuple[tuple[str, str, Callable[[Report], float | None]], ...] = (
    ("Graph breaks", "graph_breaks break_ids", lambda it: len(it.graph_breaks)),
    ("Recompiles", "recompiles", lambda it: len(it.recompiles)),
    ("Graphs", "graphs", lambda it: len(it.graphs)),
    ("Ops", "ops targets", lambda it: it.ops),
    ("Symbols in graphs", "symbols", lambda it: sum(len(graph.symbols) for graph in it.graphs)),
    ("Mutated inputs", "mutated_inputs", lambda it: len(it.mutated_inputs)),
    ("CUDA graph skips", "skips", _cudagraphs(lambda it: len(it.skips))),
    ("CUDA graph recordings", "recordings", _cudagraphs(lambda it: it.recordings)),
    ("CUDA graph replays", "replays", _cudagraphs(lambda it: it.replays)),
    ("Overwritten outputs", "overwritten_outputs", _cudagraphs(lambda it: it.overwritten_outputs)),
    ("Calls that ran no graph", "executions eager_calls", lambda it: len(it.eager_calls)),
    ("Backward graphs that ran", "backward_executions", lambda it: it.backward_executions),
    ("FX graph cache hits", "fx_hits", _cache(lambda it: it.fx_hits)),
    ("FX graph cache misses", "fx_misses", _cache(lambda it: it.fx_misses)),
    ("AOTAutograd cache hits", "aot_hits", _cache(lambda it: it.aot_hits)),
    ("AOTAutograd cache misses", "aot_misses", _cache(lambda it: it.aot_misses)),
    ("Difference from eager", "difference", _difference(lambda it: it.eager)),
    ("Difference from float64", "compiled_float64", _difference(lambda it: it.compiled_float64)),
    ("Eager's from float64", "eager_float64", _difference(lambda it: it.eager_float64)),
    ("Gradients, from eager", "gradients_eager", _difference(lambda it: it.gradients_eager)),
)
"""A title, the attributes through which `shows` reads the number, and how to read it."""
