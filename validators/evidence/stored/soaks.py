"""Soaks of the pages' examples: `soaks/CASE.json`, one line per column.

A soak calls what the program after the fix compiles many times, and with other arguments. It says
which kinds of variation hold: no exception, the results of eager mode, no compile that never ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from validators.catalog import Case
from validators.catalog.frontmatter import LIMITS, Limit
from validators.errors import Problem
from validators.evidence.stored.column_files import ColumnFiles
from validators.evidence.stored.files import text_of
from validators.evidence.stored.writing import locked, replace_file

KINDS = LIMITS


class Soak(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a soak of a case's example found in one column.

    `held` are the kinds that hold, `limits` those that do not, each with a reason. The others do
    not apply. `error` says why nothing was found.
    """

    digest: str
    torch: str
    error: str = ""
    held: list[Limit] = []
    limits: dict[Limit, str] = {}


class CaseSoaks(Struct, frozen=True):
    """`soaks/CASE.json`: the soaks by column."""

    columns: dict[str, Soak] = {}


Soaks = dict[str, CaseSoaks]
"""The soaks of examples, by case."""
_FILES = ColumnFiles("soaks", CaseSoaks, "holds no soaks", "delete it and soak the example again")
_NOTHING = CaseSoaks()


def soak_digest(case: Case) -> str:
    """The digest of what a soak depends on; "" if the page has no example."""
    if case.example is None:
        return ""
    meta = case.meta
    parts = [
        case.example.after.code,
        [meta.torch_logs, meta.needs, meta.env, meta.always_fresh],
        bool(meta.results.get("remedy")),
    ]
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:16]


def soak_on(soaks: Soaks, case: str, column: str) -> Soak | None:
    """The soak of a case's example in a column; None if there is none."""
    return soaks.get(case, _NOTHING).columns.get(column)


def current_soaks(soaks: Soaks, case: Case) -> dict[str, Soak]:
    """The soaks of a case's example as it stands, by column, without those that broke."""
    digest = soak_digest(case)
    found = soaks.get(case.name, _NOTHING).columns
    return {name: it for name, it in found.items() if it.digest == digest and not it.error}


def soaks_file(folder: Path, case: str) -> Path:
    """The file of the soaks of a case's example."""
    return _FILES.place(folder, case)


def load_soaks(folder: Path, damaged: list[Problem] | None = None) -> Soaks:
    """All soaks in `folder`.

    A damaged file is skipped and added to `damaged`.

    Raises:
        CasebookError: a file is damaged, and `damaged` is None; the message says which.
    """
    return _FILES.load(folder, damaged)


def write_soak(folder: Path, case: str, column: str, soak: Soak) -> None:
    """Store a soak in `folder`, replacing that of the same column."""
    with locked(folder):
        stored = _FILES.load_case(folder, case, []).get(case, _NOTHING).columns
        text = text_of({"columns": stored | {column: soak}})
        replace_file(folder, soaks_file(folder, case), text)


def merge_soaks(folder: Path, local: Soaks, keys: Iterable[tuple[str, str]]) -> list[str]:
    """Store the `local` soaks of `keys` (case, column) in `folder`; return what changed it."""
    stored, changed = load_soaks(folder), []
    for case, column in keys:
        soak = local[case].columns[column]
        if soak_on(stored, case, column) != soak:
            write_soak(folder, case, column, soak)
            changed.append(f"{case} {column}")
    return changed
