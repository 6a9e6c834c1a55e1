"""Silent errors: each with the releases that show it, and what its workaround does there."""

from __future__ import annotations

from dataclasses import dataclass

from validators.environment.column_name import by_release
from validators.errors import CasebookError
from validators.families import span
from validators.repository import Repository
from validators.silent.programs import CAUSES, SilentError, load_silent
from validators.silent.record import Computed, avoided, load_computed


@dataclass(frozen=True)
class ShownError:
    """A silent error, the CPU releases where it is `wrong`, and those that were `tried`.

    `backend` is the first that computes it wrongly on the newest of them. `avoided` says whether
    the workaround gave eager mode's result on all of them; None if there is none, or none was run.
    """

    error: SilentError
    wrong: str
    tried: str
    open: bool
    backend: str
    avoided: bool | None


def shown_errors(repository: Repository) -> dict[str, list[ShownError]]:
    """The silent errors by root cause, those that the newest release shows first.

    Raises:
        CasebookError: a program or a record cannot be read.
    """
    errors, problems = load_silent(repository.root)
    records, damaged = load_computed(repository.committed)
    if found := [*problems, *damaged]:
        raise CasebookError(str(found[0]))
    shown = [_shown(it, records.get(it.name, {})) for it in errors]
    by_cause = {
        cause: sorted((it for it in shown if it.error.cause == cause), key=lambda it: not it.open)
        for cause in CAUSES
    }
    return {cause: its for cause, its in by_cause.items() if its}


def _shown(error: SilentError, columns: dict[str, Computed]) -> ShownError:
    order = sorted(columns, key=by_release)
    releases = [_release(it) for it in order]
    wrong = [it for it in order if columns[it].verdict == "wrong"]
    return ShownError(
        error,
        span([_release(it) for it in wrong], releases),
        span(releases, releases),
        bool(wrong) and wrong[-1] == order[-1],
        columns[wrong[-1]].backend if wrong else "",
        avoided(columns),
    )


def _release(column: str) -> str:
    return column.split("-")[1]
