"""On which releases of torch a case is decided, in one line."""

from __future__ import annotations

from validators.catalog import Case
from validators.evidence.columns import Column, in_order
from validators.evidence.ranges import ranges
from validators.evidence.status import SHOWN, State
from validators.repository import Repository

_SAID: tuple[State, ...] = (*SHOWN, "refuted", "unexplained", "unshown")


def standing(case: Case, repository: Repository, columns: list[Column]) -> str:
    """Where the case is decided and how, as "Affects torch 2.9.1 to 2.15.0 (CPU).".

    `columns` are all columns of the evidence where arms ran.
    """
    known = repository.states_of(case)
    states = {it.name: known[it.name] for it in columns if known.get(it.name) in _SAID}
    said = ranges(case, states, {it.torch for it in columns})
    return f"{said[:1].upper()}{said[1:]}."


def all_columns(repository: Repository) -> list[Column]:
    """Every column of the evidence where arms ran, by release."""
    columns = in_order(name for _, name in repository.evidence)
    return [column for column in columns if column.device != "compiled"]
