"""Silent errors: each with the releases that show it, and what its workaround does there."""

from __future__ import annotations

from dataclasses import dataclass

from validators.environment.column_name import by_release, release_of
from validators.errors import CasebookError
from validators.families import span
from validators.repository import Repository
from validators.silent.programs import CAUSES, SilentError, load_silent
from validators.silent.record import Computed, avoided, load_computed


@dataclass(frozen=True)
class ShownError:
    """A silent error, the CPU releases where it is `wrong`, and those that were `tried`.

    `backend` is the first that computes it wrongly on the newest of them, and `ops` the shortest
    run that is wrong there if only they are compiled. `avoided` says whether the workaround gave
    eager mode's result on all of them; None if there is none, or none was run.
    """

    error: SilentError
    wrong: str
    tried: str
    open: bool
    backend: str
    ops: tuple[str, ...]
    avoided: bool | None


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


def _shown(error: SilentError, columns: dict[str, Computed]) -> ShownError:
    order = sorted(columns, key=by_release)
    wrong = [column for column in order if columns[column].verdict == "wrong"]
    releases = [release_of(column) for column in order]
    return ShownError(
        error,
        span([release_of(column) for column in wrong], releases),
        span(releases, releases),
        bool(wrong) and wrong[-1] == order[-1],
        columns[wrong[-1]].backend if wrong else "",
        columns[wrong[-1]].ops if wrong else (),
        avoided(columns),
    )
