"""The programs of silent errors with their records, as what is known of each."""

from __future__ import annotations

from pathlib import Path

from validators.errors import CasebookError
from validators.silent.known import Known
from validators.silent.programs import SilentError, load_silent
from validators.silent.record import Columns, avoided, by_device, cost_in_words, load_computed


def load_recorded(root: Path, evidence: Path) -> list[tuple[SilentError, Columns]]:
    """The silent errors of the repository `root`, each with its records in a folder of evidence.

    Raises:
        CasebookError: one cannot be read.
    """
    errors, problems = load_silent(root)
    records, damaged = load_computed(evidence)
    for problem in [*problems, *damaged]:
        raise CasebookError(str(problem))
    return [(error, records.get(error.name, {})) for error in errors]


def load_known(playbooks: Path) -> list[Known]:
    """The silent errors that are recorded.

    Raises:
        CasebookError: one cannot be read.
    """
    recorded = load_recorded(playbooks.parent, playbooks / "evidence")
    return [known_of(error, columns) for error, columns in recorded if columns]


def known_of(error: SilentError, records: Columns) -> Known:
    """What is known of an error, of its program and of its records by column."""
    ran, compiled = by_device(records)
    columns = ran or compiled
    wrong = [it for it in columns.values() if it.verdict == "wrong"]
    chains = [it.ops for it in wrong if it.ops]
    return Known(
        name=error.name,
        says=error.says,
        cause=error.cause,
        issue=error.issue,
        fixed=error.fixed,
        avoid=error.avoid if avoided(columns) else "",
        cost=cost_in_words(columns),
        code=error.code,
        chain=chains[-1] if chains else (),
        part=wrong[-1].says.partition(": ")[2] if wrong else "",
        traced=any(it.backend == "eager" for it in columns.values()),
        verdicts={column: it.verdict for column, it in columns.items()},
    )
