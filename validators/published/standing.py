"""What evidence says of a case, in words and symbols for readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from validators.catalog import Case
from validators.evidence import Record
from validators.evidence.columns import Column
from validators.evidence.coverage import Coverage, coverage
from validators.evidence.ranges import ranges
from validators.evidence.status import State as StateName
from validators.evidence.status import Status, applies, applies_on, open_devices, overall
from validators.evidence.stored.examples import Examples, example_digest, run_on
from validators.evidence.words import STATES, State
from validators.repository import Repository
from validators.verdicts import DECIDED


@dataclass(frozen=True)
class Cell:
    """One case in one column: its state as readers see it, and the record that speaks of it."""

    column: Column
    status: Status

    @property
    def state(self) -> State:
        """What counts today, in words."""
        return STATES[self.status.state]

    @property
    def record(self) -> Record | None:
        """The record, even a stale one."""
        return self.status.record

    @property
    def was(self) -> str:
        """What a stale record said, else ""."""
        return self.status.was

    @property
    def surprising(self) -> bool:
        """Whether an arm broke, or the verdict is not the expected one."""
        return self.status.surprising


@dataclass(frozen=True, eq=False)
class Standing:
    """All that is known of one case; compared by identity, so that views of it can be cached."""

    case: Case
    cells: tuple[Cell, ...]

    @property
    def recorded(self) -> bool:
        """Whether any column has a record of it."""
        return any(cell.record for cell in self.cells)

    @property
    def decided(self) -> list[Cell]:
        """The cells that decide the claim today, by running it."""
        return [it for it in self._with_verdict if it.column.device != "compiled"]

    @property
    def compiled(self) -> list[Cell]:
        """The cells that decide the claim by compiling for a GPU that was not there."""
        return [it for it in self._with_verdict if it.column.device == "compiled"]

    @property
    def _with_verdict(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.state.key in DECIDED]

    def on(self, columns: Iterable[Column]) -> list[Cell]:
        """The cell of each of `columns`, undecided or not applicable where nothing has run."""
        known = {cell.column.name: cell for cell in self.cells}
        return [known.get(column.name) or _unrun(self.case, column) for column in columns]

    def decided_on(self, device: str) -> bool:
        """Whether a column of this device decides the claim."""
        return any(cell.column.device == device for cell in self.decided)

    @cached_property
    def overall(self) -> State:
        """One state for lists; "differs" if environments disagree."""
        return STATES[overall(self.case, self.states)]

    @cached_property
    def open_devices(self) -> list[str]:
        """The devices on which the claim has a meaning and nothing decides it."""
        return open_devices(self.case, self.states)

    @property
    def states(self) -> dict[str, StateName]:
        """The state in each column."""
        return {cell.column.name: cell.status.state for cell in self.cells}

    @cached_property
    def sentence(self) -> str:
        """The status in words."""
        if self.case.retired:
            said = self.case.retired.rstrip(".")
        elif not self.recorded:
            said = "Undecided: no program has run it yet"
        else:
            said = ranges(self.case, self.states, [it.column.torch for it in self.cells])
        return f"{said[:1].upper()}{said[1:]}."


def _unrun(case: Case, column: Column) -> Cell:
    meant = applies_on(case, column.device)
    return Cell(column, Status(case, "undecided" if meant else "na"))


def standing(case: Case, columns: Sequence[Column], repository: Repository) -> Standing:
    """The standing of `case` over `columns`."""
    cells = (Cell(column, repository.status_of(case, column.name)) for column in columns)
    return Standing(case, tuple(cells))


def standing_by_example(case: Case, columns: Sequence[Column], examples: Examples) -> Standing:
    """The standing of a page without a proof, which its example decides."""
    cells = (Cell(it, Status(case, _by_example(case, it.name, examples))) for it in columns)
    return Standing(case, tuple(cells))


def _by_example(case: Case, column: str, examples: Examples) -> StateName:
    if not applies(case, column):
        return "na"
    run = run_on(examples, case.name, column)
    if run is None:
        return "undecided"
    return run.verdict if run.digest == example_digest(case) else "stale"


def decided_share(all_standings: Sequence[Standing]) -> tuple[int, int]:
    """How many claims some column decides, and how many there are."""
    live = [s for s in all_standings if not s.case.retired]
    return sum(bool(s.decided) for s in live), len(live)


def cuda_coverage(all_standings: Sequence[Standing]) -> Coverage:
    """How many claims that apply to CUDA are decided there, and how."""
    return coverage((it.case, it.states) for it in all_standings)
