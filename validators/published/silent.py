"""Silent errors: each with the releases that show it, and what its workaround does there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validators.environment.column_name import release_of, span
from validators.errors import CasebookError
from validators.repository import Repository
from validators.silent.programs import CAUSES, SilentError, load_silent
from validators.silent.record import (
    Computed,
    avoided,
    compiled,
    cost_in_words,
    load_computed,
    ran,
)


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
    errors, problems = load_silent(repository.root)
    records, damaged = load_computed(repository.committed)
    if defects := [*problems, *damaged]:
        raise CasebookError(str(defects[0]))
    by_cause: dict[str, list[ShownError]] = {cause: [] for cause in CAUSES}
    for error in errors:
        by_cause[error.cause].append(_shown(error, records.get(error.name, {})))
    open_first = {
        cause: sorted(shown, key=lambda one: not one.open) for cause, shown in by_cause.items()
    }
    return {cause: shown for cause, shown in open_first.items() if shown}


def _shown(error: SilentError, records: dict[str, Computed]) -> ShownError:
    columns = ran(records)
    wrong = [column for column, it in columns.items() if it.verdict == "wrong"]
    newest = columns[wrong[-1]] if wrong else None
    return ShownError(
        error,
        _releases(wrong, columns),
        _releases(columns, columns),
        _compiled(compiled(records)),
        bool(wrong) and wrong[-1] == [*columns][-1],
        newest.backend if newest else "",
        newest.ops if newest else (),
        avoided(records),
        cost_in_words(records),
    )


def _compiled(columns: dict[str, Computed]) -> str:
    said = []
    for verdict in ("wrong", "right", "raises"):
        if names := [name for name, it in columns.items() if it.verdict == verdict]:
            said.append(f"{verdict} on torch {_releases(names, columns)}")
    return ", ".join(said)


def _releases(some: Iterable[str], columns: Iterable[str]) -> str:
    return span(map(release_of, some), map(release_of, columns))
