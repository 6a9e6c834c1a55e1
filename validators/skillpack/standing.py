"""On which releases of torch a case is decided, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from validators.catalog import Case
from validators.evidence.columns import Column, in_order, spans
from validators.evidence.status import State, open_devices
from validators.repository import Repository

_WORDS: dict[State, str] = {
    "confirmed": "Holds",
    "remedy-failed": "The fix fails",
    "unremedied": "Affects, fix not tried",
    "refuted": "Refuted",
    "unshown": "Not shown",
}
_DEVICES = {"cpu": "a CPU", "cuda": "a GPU"}


def standing(case: Case, repository: Repository, columns: list[Column]) -> str:
    """Where the case is decided and how, as "Holds: torch 2.9.1 to 2.15.0 (CPU).".

    `columns` are all columns of the evidence. Where two releases of a range have a column, so do
    all between them.
    """
    states = repository.states_of(case)
    parts = [
        f"{word}: torch {', '.join(places)}."
        for state, word in _WORDS.items()
        if (places := [*_places(state, columns, states)])
    ]
    if undecided := [_DEVICES[device] for device in open_devices(case, states)]:
        parts.append(f"Undecided: {', '.join(undecided)}.")
    return " ".join(parts)


def all_columns(repository: Repository) -> list[Column]:
    """Every column of the evidence where arms ran, by release."""
    columns = in_order(name for _, name in repository.evidence)
    return [column for column in columns if column.device != "compiled"]


def _places(state: State, columns: list[Column], states: dict[str, State]) -> Iterator[str]:
    """The releases with a state, as ranges, for each device."""
    for on, group in groupby(sorted(columns, key=_on), key=_on):
        row = ((column.torch, states.get(column.name) == state) for column in group)
        if releases := spans(row, least=2):
            yield f"{', '.join(releases)} ({on})"


def _on(column: Column) -> str:
    return column.accelerator.upper()
