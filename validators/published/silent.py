"""Silent errors: each with the releases that show it, and what its workaround does there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validators.environment.column_name import release_of, span
from validators.repository import Repository
from validators.silent.collection import load_recorded
from validators.silent.programs import CAUSES, SilentError
from validators.silent.record import Columns, avoided, by_device, cost_in_words


@dataclass(frozen=True)
class ShownError:
    """A silent error, the releases where it is `wrong`, and those that were `tried`.

    `compiled` says the same of the code for a GPU that is not there, "" if nobody tried that.
    `backend` is the first that computes it wrongly on the newest of them, and `ops` the shortest
    run that is wrong there if only they are compiled. `avoided` says whether the workaround gave
    eager mode's result on all of them; None if there is none, or none was run. `cost` says what it
    compiles to beside the program, "" if nobody counted.
    """

    error: SilentError
    wrong: str
    tried: str
    compiled: str
    open: bool
    backend: str
    ops: tuple[str, ...]
    avoided: bool | None
    cost: str


def shown_errors(repository: Repository) -> dict[str, list[ShownError]]:
    """The silent errors by root cause, those that the newest release shows first.

    Raises:
        CasebookError: a program or a record cannot be read.
    """
    by_cause: dict[str, list[ShownError]] = {cause: [] for cause in CAUSES}
    for error, columns in load_recorded(repository.root, repository.committed):
        by_cause[error.cause].append(_shown(error, columns))
    open_first = {
        cause: sorted(shown, key=lambda one: not one.open) for cause, shown in by_cause.items()
    }
    return {cause: shown for cause, shown in open_first.items() if shown}


def _shown(error: SilentError, records: Columns) -> ShownError:
    columns, compiled = by_device(records)
    wrong = [column for column, it in columns.items() if it.verdict == "wrong"]
    newest = columns[wrong[-1]] if wrong else None
    return ShownError(
        error,
        _releases(wrong, columns),
        _releases(columns, columns),
        _compiled(compiled),
        bool(wrong) and wrong[-1] == [*columns][-1],
        newest.backend if newest else "",
        newest.ops if newest else (),
        avoided(records),
        cost_in_words(records),
    )


def _compiled(columns: Columns) -> str:
    said = []
    for verdict in ("wrong", "right", "raises"):
        if names := [name for name, it in columns.items() if it.verdict == verdict]:
            said.append(f"{verdict} on torch {_releases(names, columns)}")
    return ", ".join(said)


def _releases(some: Iterable[str], columns: Iterable[str]) -> str:
    return span(map(release_of, some), map(release_of, columns))
