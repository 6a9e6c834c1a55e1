"""Which numbers of a case's reports are drawn: those by which `shows` tells the arms apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from docsite import svg
from docsite.measures import ReportData, compiled, measures, number, words_read
from docsite.observed import probes_only
from docsite.status import Cell, Standing
from validators.catalog.proof import Proof
from validators.evidence.columns import Column, listed

_ALWAYS = "compile"
"""Times that every observation holds; they are of different graphs, so no samples of one thing."""
_MOST_CALLS = 60


@dataclass
class Plot:
    """One measure: what each column's symptom and remedy say of it, and how that is drawn."""

    title: str
    draw: Callable[[str, list[svg.Group], tuple[str, str]], Markup]
    pairs: list[tuple[Column, tuple[Any, Any]]] = field(default_factory=list)

    def groups(self) -> list[svg.Group]:
        """The pairs, equal ones together under the names of their columns."""
        found: list[tuple[tuple[Any, Any], list[Column]]] = []
        for column, pair in self.pairs:
            columns = next((known for same, known in found if same == pair), None)
            if columns is None:
                found.append((pair, [column]))
            else:
                columns.append(column)
        return [svg.Group(listed(columns), *pair) for pair, columns in found]

    def drawn(self, arms: tuple[str, str]) -> Markup:
        """The drawing; `arms` is what the two sides are called."""
        return self.draw(self.title, self.groups(), arms)


def plots(standing: Standing, proof: Proof) -> list[Plot]:
    """What `shows` reads, where it differs between the arms in some column.

    Of what else differs there is no plot: it would not explain the verdict.
    """
    seen = list(_seen(cell for cell in standing.cells if cell.state.key != "stale"))
    read, found = words_read(proof), dict[str, Plot]()
    for column, symptom, remedy in seen or _seen(standing.cells):
        with probes_only(standing.case.name, column.name):
            for plot, pair in _pairs(symptom, remedy, read):
                found.setdefault(plot.title, plot).pairs.append((column, pair))
    return [plot for plot in found.values() if any(_differ(*pair) for _, pair in plot.pairs)]


def _differ(one: Any, other: Any) -> bool:
    """Whether readers of the drawing would see that the sides are not the same."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return svg.written(one) != svg.written(other)
    return bool(one != other)


def _seen(cells: Iterable[Cell]) -> Iterator[tuple[Column, ReportData, ReportData]]:
    for cell in cells:
        if cell.record and cell.record.symptom is not None and cell.record.remedy is not None:
            yield cell.column, cell.record.symptom, cell.record.remedy


def _pairs(
    symptom: ReportData, remedy: ReportData, read: frozenset[str]
) -> Iterator[tuple[Plot, tuple[Any, Any]]]:
    steps = compiled(symptom), compiled(remedy)
    if "compiled" in read and 1 < max(map(len, steps)) <= _MOST_CALLS:
        yield Plot("Graphs compiled in each call", svg.steps), steps
    for measure in measures(symptom, remedy, read):
        counts = measure.of(symptom), measure.of(remedy)
        if None not in counts:
            yield Plot(measure.name, svg.bars(measure.unit)), counts
    if "times" in read:
        yield from _samples(symptom.get("times") or {}, remedy.get("times") or {})


def _samples(
    symptom: dict[str, Any], remedy: dict[str, Any]
) -> Iterator[tuple[Plot, tuple[Any, Any]]]:
    for name in sorted({*symptom} & {*remedy} - {_ALWAYS}):
        sides = [[number(value) for value in times[name]] for times in (symptom, remedy)]
        if all(side and None not in side for side in sides):
            yield Plot(f"Time: {name}", svg.samples), (sides[0], sides[1])
