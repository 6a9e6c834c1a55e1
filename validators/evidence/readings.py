"""The numbers of two reports by which `shows` tells the arms apart."""

from __future__ import annotations

import ast
import math
import re
import statistics
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass

from validators.catalog.proof import Proof
from validators.evidence.quantities import seconds, written
from validators.probes.report import Cache, Call, Cudagraphs, Difference, Report

_MOST_CALLS = 60
_HOW_MANY = ", how many"
_PLURAL = re.compile(
    r"(break|recompile|graph|op|symbol|input|skip|recording|replay|output|call|hit)s\b|(miss)es\b"
)


@dataclass(frozen=True)
class Reading:
    """A number of one arm: in words, and as the value that a bar shows."""

    text: str
    value: float


@dataclass(frozen=True)
class Contrast:
    """One number of both arms; `counted` says that it counts what the title names."""

    title: str
    symptom: Reading
    remedy: Reading
    counted: bool = False

    @property
    def differs(self) -> bool:
        """Whether readers see two different numbers."""
        return self.symptom.text != self.remedy.text

    @property
    def phrase(self) -> str:
        """Both numbers in a few words, such as "8 graphs → 1" or "guards 211 → 23"."""
        one, other = self.symptom, self.remedy
        # An abbreviation at the start keeps its capitals.
        title = self.title if self.title[1].isupper() else self.title[0].lower() + self.title[1:]
        if self.counted:
            noun = _PLURAL.sub(r"\1\2", title, count=1) if one.value == 1 else title
            return f"{one.text} {noun} → {other.text}"
        name = title.removeprefix("fact: ").removesuffix(_HOW_MANY).replace(": ", " ", 1)
        return f"{name} {one.text} → {other.text}"


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


def contrasts(symptom: Report, remedy: Report, read: Set[str]) -> Iterator[Contrast]:
    """What both arms say of each number that `read` names, the probes' own first."""
    for numbers in (_COUNTED, _DIFFERENCES):
        for title, names, value in numbers:
            if read & {*names.split()}:
                both = value(symptom), value(remedy)
                yield from _both(title, *both, counted=numbers is _COUNTED)
    if "compiled" in read and max(len(symptom.calls), len(remedy.calls)) <= _MOST_CALLS:
        many = max(len(symptom.calls), len(remedy.calls)) > 1
        title = "Graphs compiled" + (" in each call" if many else "")
        yield Contrast(title, _compiled(symptom.calls), _compiled(remedy.calls))
    for name in _asked({*symptom.memory} | {*remedy.memory}, "memory", read):
        sizes = (report.memory.get(name) for report in (symptom, remedy))
        one, other = (size if size is None else size / 2**20 for size in sizes)
        yield from _both(f"Memory: {name}", one, other, " MiB")
    for name in _asked({*symptom.facts} | {*remedy.facts}, "facts", read):
        facts = [report.facts.get(name) for report in (symptom, remedy)]
        many = any(isinstance(fact, list) for fact in facts)
        one, other = (len(it) if isinstance(it, list) else _number(it) for it in facts)
        yield from _both(f"Fact: {name}{_HOW_MANY if many else ''}", one, other)
    for name in _asked({*symptom.times} & {*remedy.times}, "times", read):
        if symptom.times[name] and remedy.times[name]:
            a, b = (_samples(report.times[name]) for report in (symptom, remedy))
            yield Contrast(f"Time: {name}", a, b)


def _asked(names: set[str], field: str, read: Set[str]) -> list[str]:
    """The names of `field` that `read` holds; all of them if it names only the field."""
    return (sorted(names & read) or sorted(names)) if field in read else []


def _both(
    title: str, one: float | None, other: float | None, unit: str = "", counted: bool = False
) -> Iterator[Contrast]:
    if one is not None and other is not None and _fits(one) and _fits(other):
        a, b = (Reading(written(value) + unit, value) for value in (one, other))
        yield Contrast(title, a, b, counted)


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


_Numbers = tuple[tuple[str, str, Callable[[Report], float | None]], ...]
_COUNTED: _Numbers = (
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
)
_DIFFERENCES: _Numbers = (
    ("Difference from eager", "difference", _difference(lambda it: it.eager)),
    ("Difference from float64", "compiled_float64", _difference(lambda it: it.compiled_float64)),
    ("Eager's from float64", "eager_float64", _difference(lambda it: it.eager_float64)),
    ("Gradients, from eager", "gradients_eager", _difference(lambda it: it.gradients_eager)),
)
"""A title, the attributes through which `shows` reads the number, and how to read it."""
