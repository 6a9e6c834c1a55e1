"""On which releases of torch a case is decided, in one line."""

from __future__ import annotations

from itertools import groupby

from validators.catalog import Case
from validators.evidence.columns import Column, in_order, spans
from validators.evidence.status import State, open_devices
from validators.repository import Repository
from validators.verdicts import DECIDED

_WORDS: dict[str, str] = {
    "confirmed": "confirmed",
    "refuted": "refuted: it does not happen",
    "remedy-failed": "the fix fails",
}


def standing(case: Case, repository: Repository, columns: list[Column]) -> str:
    """Where the case is decided and how, as "confirmed on torch 2.9.1 to 2.15.0 (CPU)".

    `columns` are all columns of the evidence. Where two releases of a range have a column, so do
    all between them.
    """
    states = repository.states_of(case)
    parts = []
    for accelerator, of_one in groupby(sorted(columns, key=_accelerator), key=_accelerator):
        verdicts = _verdicts(list(of_one), states)
        parts += [f"{word} on torch {', '.join(at)} ({accelerator})" for word, at in verdicts]
    devices = {"cpu": "a CPU", "cuda": "a GPU"}
    parts += [f"undecided on {devices[it]}" for it in open_devices(case, states)]
    return "; ".join(parts)


def all_columns(repository: Repository) -> list[Column]:
    """Every column of the evidence where arms ran, by release."""
    columns = in_order(name for _, name in repository.evidence)
    return [it for it in columns if it.device != "compiled"]


def _accelerator(it: Column) -> str:
    return it.accelerator.upper()


def _verdicts(columns: list[Column], states: dict[str, State]) -> list[tuple[str, list[str]]]:
    """Each decided verdict, and its releases as ranges."""
    row = [(it.torch, states.get(it.name, "undecided")) for it in columns]
    decided = dict.fromkeys(state for _, state in row if state in DECIDED)
    return [
        (_WORDS[state], spans(((torch, it == state) for torch, it in row), least=2))
        for state in decided
    ]
