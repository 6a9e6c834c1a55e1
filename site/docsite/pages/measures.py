"""The numbers by which `shows` tells the two arms apart, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from validators.catalog.proof import Proof
from validators.collected import collected
from validators.evidence.columns import Column, listed
from validators.evidence.readings import Reading, contrasts, names_read
from validators.probes.report import Report
from validators.published.standing import Cell, Standing

Pair = tuple[Reading, Reading]


@dataclass
class Measure:
    """One number that `shows` reads, of both arms in each column."""

    title: str
    pairs: list[tuple[Column, Pair]] = field(default_factory=list)

    @property
    def groups(self) -> list[tuple[str, Pair]]:
        """The pairs, equal ones together under the names of their columns."""
        found = collected((pair, column) for column, pair in self.pairs)
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
        for it in contrasts(symptom, remedy, read):
            pair = it.symptom, it.remedy
            found.setdefault(it.title, Measure(it.title)).pairs.append((column, pair))
    return [it for it in found.values() if any(a.text != b.text for _, (a, b) in it.pairs)]


def _reports(cells: Iterable[Cell]) -> Iterator[tuple[Column, Report, Report]]:
    for cell in cells:
        if cell.record:
            symptom, remedy = cell.record.report("symptom"), cell.record.report("remedy")
            if symptom and remedy:
                yield cell.column, symptom, remedy
