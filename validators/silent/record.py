"""What was recorded of a silent error: `silent/NAME.json`, with a line for each column."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from validators.errors import Problem
from validators.evidence.column_files import ColumnRecords

Verdict = Literal["wrong", "right", "raises", "eager raises", "failed"]
"""What compiled code computes, beside eager mode; or that it raises, or dies."""


class Computed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a program computed in a column; `digest` covers what its file does.

    `says` is where it is wrong, or what is raised. `backend` is the first that computes it wrongly,
    `ops` the shortest chain of ops that is wrong where only they are compiled, and `instead` what
    the workaround does: "equal" to eager mode, or not.
    """

    digest: str
    verdict: Verdict
    says: str = ""
    backend: str = ""
    ops: tuple[str, ...] = ()
    instead: str = ""


Records = dict[str, dict[str, Computed]]
"""Records by program and column."""
_FILES = ColumnRecords(
    "silent",
    dict[str, Computed],
    "cannot be read",
    "delete it, and record the silent error again",
)


def record_file(folder: Path, name: str) -> Path:
    """The file of a silent error in a folder of evidence."""
    return _FILES.place(folder, name)


def load_computed(folder: Path) -> tuple[Records, list[Problem]]:
    """All records of silent errors in a folder of evidence, and the damaged files."""
    damaged: list[Problem] = []
    return _FILES.load(folder, damaged), damaged


def write_computed(folder: Path, name: str, column: str, computed: Computed) -> None:
    """Store a record, in place of that of the same program and column."""
    _FILES.write(folder, name, column, computed)


def avoided(columns: Mapping[str, Computed]) -> bool | None:
    """Whether the workaround gives eager mode's result wherever the error shows.

    None if it did not run there.
    """
    ran = [it.instead for it in columns.values() if it.verdict == "wrong" and it.instead]
    return all(it == "equal" for it in ran) if ran else None
