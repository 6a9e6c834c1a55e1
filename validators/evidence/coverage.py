"""What the claims that apply to CUDA rest on: a GPU, a compiler, or nothing yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from validators.catalog import Case
from validators.evidence.status import State, device_of
from validators.verdicts import DECIDED

Basis = Literal["ran", "compiled", "independent", "open"]


class Coverage(Struct, frozen=True, kw_only=True):
    """How many claims apply to CUDA, each counted once more by the best that it rests on.

    `ran` counts those that a GPU decided. Of the others, `compiled` are about kernels and were
    compiled for a GPU, `independent` are about tracing and came out on CUDA tensors as on a CPU;
    neither kind ran on one. `open` counts the rest.
    """

    claims: int
    ran: int
    compiled: int
    independent: int
    open: int

    @property
    def told(self) -> str:
        """The counts in words; the two in the middle only where they say anything."""
        middle = (
            f"{self.compiled} were compiled for one" if self.compiled else "",
            f"{self.independent} proved independent of the device" if self.independent else "",
        )
        parts = (f"{self.ran} ran on a GPU", *middle, f"{self.open} are open")
        return ", ".join(filter(None, parts))


def coverage(cases: Iterable[tuple[Case, Mapping[str, State]]]) -> Coverage:
    """The coverage of live cases, given their state in each column."""
    meant = [it for it in cases if not it[0].retired and "cuda" in it[0].meta.devices]
    count = Counter(basis(case, states) for case, states in meant)
    return Coverage(
        claims=len(meant),
        ran=count["ran"],
        compiled=count["compiled"],
        independent=count["independent"],
        open=count["open"],
    )


def basis(case: Case, states: Mapping[str, State]) -> Basis:
    """What the claim rests on where it is about CUDA."""
    decided = {column: state for column, state in states.items() if state in DECIDED}
    if any(device_of(it) == "cuda" for it in decided):
        return "ran"
    compiled = [it for it in decided if device_of(it) == "compiled"]
    if compiled and case.meta.compiled == "kernels":
        return "compiled"
    if any(decided.get(on_cpu(it)) == decided[it] for it in compiled):
        return "independent"
    return "open"


def on_cpu(column: str) -> str:
    """The column of the same release on a CPU."""
    return f"torch-{column.split('-')[1]}-cpu"
