"""Cases by environments: which columns there are, and which equal neighbours share a cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import get_args

from packaging.version import Version

from validators.evidence.columns import Column
from validators.evidence.status import Device
from validators.evidence.words import STATES, State
from validators.published.standing import Cell, Standing
from validators.verdicts import DECIDED

DEVICES = ("cpu", "cuda")


@dataclass(frozen=True)
class Span:
    """Neighbouring columns of one accelerator that say the same of a case."""

    cells: tuple[Cell, ...]

    @property
    def newest(self) -> Cell:
        """The cell of the newest release, which stands for all of them."""
        return max(self.cells, key=lambda it: Version(it.column.torch or "0"))

    @property
    def state(self) -> State:
        """The state in all these columns."""
        return self.newest.state

    @property
    def releases(self) -> str:
        """The release, or the first and the last of a range; "" if nothing has run."""
        names = releases_of(cell.column for cell in self.cells)
        return " \N{EN DASH} ".join(names if len(names) < 2 else (names[0], names[-1]))


@dataclass(frozen=True)
class Tally:
    """How many claims of an area ("" for all) are in which state, by column."""

    area: str
    cases: int
    cells: list[tuple[Column, list[tuple[State, int]]]]


def environments(columns: Iterable[Column], devices: Container[str]) -> list[Column]:
    """The columns by accelerator, the CPU first, each in the order of releases.

    One of `devices` that has no column gets one without a name, which shows that it has not run.
    """
    found = list(columns)
    for device in DEVICES:
        if device in devices and not any(column.device == device for column in found):
            found.append(Column("", "", device))
    return sorted(found, key=_place)


def releases_of(columns: Iterable[Column]) -> list[str]:
    """The releases that any column has, oldest first."""
    return sorted({column.torch for column in columns if column.name}, key=Version)


def groups(columns: Iterable[Column]) -> list[tuple[str, list[Column]]]:
    """Neighbouring columns by accelerator, such as ("CPU", [...]) and ("CUDA H200", [...])."""
    return [(label, list(each)) for label, each in groupby(columns, _label)]


def state_of(cells: Sequence[Cell], meant: bool) -> str:
    """The state of a release on a device; a verdict counts most where environments differ.

    `meant` says whether the case is about the device.
    """
    if not meant:
        return "na"
    decided = [cell for cell in cells if cell.state.key in DECIDED]
    return next((cell.state.key for cell in [*decided, *cells]), "undecided")


def spans(cells: Iterable[Cell]) -> list[Span]:
    """Neighbouring cells of one accelerator that say the same, each run of them as one."""
    return [Span(tuple(same)) for _, same in groupby(cells, _said)]


def details(cells: Sequence[Cell]) -> Iterator[tuple[str, list[tuple[str, list[Cell]]]]]:
    """What else the records of `cells` say, aspect by aspect; equal neighbours are merged."""
    told = [(cell, _told(cell)) for cell in cells]
    for name in dict.fromkeys(name for _, aspects in told for name in aspects):
        texts = [(cell, aspects.get(name, "")) for cell, aspects in told]
        if any(text for _, text in texts):
            same = groupby(texts, lambda it: (it[0].column.accelerator, it[1]))
            yield name, [(text, [cell for cell, _ in each]) for (_, text), each in same]


def by_release(columns: Sequence[Column]) -> Iterator[Column]:
    """Columns without names, for releases that a device lacks and another device has.

    A device without any column gets none here: `environments` has a column for it.
    """
    for device in DEVICES:
        present = {c.torch for c in columns if c.device == device}
        if present != {""}:
            yield from (Column("", r, device) for r in releases_of(columns) if r not in present)


def with_absent(
    columns: Sequence[Column], standings: Mapping[str, Standing]
) -> tuple[list[Column], dict[str, list[Cell]]]:
    """The columns `by_release`, and the cells of each case in `columns` and then in those."""
    absent = list(by_release(columns))
    return absent, {name: it.on([*columns, *absent]) for name, it in standings.items()}


def of_cases(columns: Sequence[Column], standings: Iterable[Standing]) -> dict[str, object]:
    """The matrix of cases by columns, the newest release first."""
    columns = _newest_first(columns)
    cases = [(it, spans(it.on(columns))) for it in standings]
    return {"groups": groups(columns), "width": len(columns), "cases": cases}


def tallies(
    columns: Sequence[Column], areas: Mapping[str, Sequence[Standing]]
) -> dict[str, object]:
    """How many claims of each area, and of all, are in which state, by column."""
    columns = _newest_first(columns)
    everything = [it for standings in areas.values() for it in standings]
    made = [_tally(area, each, columns) for area, each in {"": everything, **areas}.items()]
    return {"groups": groups(columns), "tallies": [it for it in made if it.cases]}


def _tally(area: str, standings: Sequence[Standing], columns: Sequence[Column]) -> Tally:
    """The states of claims by column, without retired claims and not-applicable ones."""
    live = [standing for standing in standings if not standing.case.retired]
    counters: list[Counter[str]] = [Counter() for _ in columns]
    for standing in live:
        for counter, cell in zip(counters, standing.on(columns), strict=True):
            counter[cell.state.key] += cell.state.key != "na"
    counts = [[(s, c[key]) for key, s in STATES.items() if c[key]] for c in counters]
    return Tally(area, len(live), list(zip(columns, counts, strict=True)))


def _newest_first(columns: Sequence[Column]) -> list[Column]:
    """GPUs that ran, the CPU, then what was only compiled; the newest release of each first."""
    order = ("cuda", "cpu", "compiled")
    named = sorted(groups(columns), key=lambda it: order.index(it[1][0].device))
    return [column for _, each in named for column in reversed(each)]


def _label(column: Column) -> str:
    named = column.device == "compiled" or column.on == column.device.upper()
    return column.on if named else f"{column.device.upper()} {column.on}"


def _place(column: Column) -> tuple[object, ...]:
    order = get_args(Device).index(column.device)
    return order, column.accelerator, column.name and Version(column.torch)


def _said(cell: Cell) -> tuple[object, ...]:
    return cell.column.accelerator, cell.state.key, cell.was, cell.surprising


def _told(cell: Cell) -> dict[str, str]:
    """What the cell's record says beside the verdict."""
    if cell.record is None:
        return {}
    mark = cell.record.fingerprint
    carried = "a probe has changed since; no report on a CPU has" if cell.record.carried else ""
    triton = f", Triton {mark.triton}" if mark.triton else ""
    driver = f", driver {mark.driver}" if mark.driver else ""
    return {
        "Expected": "confirmed" if cell.status.expected else "not claimed here",
        "Reason": cell.status.reason,
        "Carried over": carried,
        "Software": f"torch {mark.torch}, Python {mark.python}{triton}",
        "Machine": f"{mark.accelerator or mark.processor}{driver}",
    }
