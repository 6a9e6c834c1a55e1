"""What was recorded of a silent error: `silent/NAME.json`, with a line for each column."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import astuple

from validators.environment.column_name import by_release
from validators.environment.fingerprint import COMPILED
from validators.errors import Problem
from validators.evidence.status import device_of
from validators.evidence.stored.column_files import ColumnRecords

Verdict = Literal["wrong", "right", "raises", "eager raises", "failed"]
"""What compiled code computes, beside eager mode; or that it raises, or dies."""


class Cost(Struct, frozen=True, array_like=True):
    """What compiled code costs: graphs, kernels and calls of libraries, bytes that they move."""

    graphs: int
    kernels: int
    bytes: int

    def beside(self, other: Cost) -> str:
        """In words, what it costs where `other` is the cost of the code that it replaces."""
        pairs = zip(self.__struct_fields__, astuple(self), astuple(other), strict=True)
        differs = [f"{mine} {name} instead of {its}" for name, mine, its in pairs if mine != its]
        return ", ".join(differs) or "as many graphs, kernels and bytes"


class Computed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a program computed in a column; `digest` covers what its file does.

    `says` is where it is wrong, or what is raised. `backend` is the first that computes it wrongly,
    `ops` the shortest chain of ops that is wrong where only they are compiled, and `instead` what
    the workaround does: "equal" to eager mode, or not. `costs` are those of the program and of its
    workaround; () if they were not counted.
    """

    digest: str
    verdict: Verdict
    says: str = ""
    backend: str = ""
    ops: tuple[str, ...] = ()
    instead: str = ""
    costs: tuple[Cost, ...] = ()


Columns = dict[str, Computed]
"""Records of a program by column."""
Records = dict[str, Columns]
"""Those of all programs by name."""
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


def cost_in_words(columns: Mapping[str, Computed]) -> str:
    """What the workaround costs beside the program on the newest release that counted it, or ""."""
    newest = max(filter(lambda name: columns[name].costs, columns), key=by_release, default="")
    if not newest:
        return ""
    wrong, instead = columns[newest].costs
    return instead.beside(wrong)


def by_device(columns: Mapping[str, Computed]) -> tuple[Columns, Columns]:
    """What devices ran, and the code for GPUs that are not there, each with the oldest first."""
    order = sorted(columns, key=by_release)
    compiled = {name: columns[name] for name in order if device_of(name) == COMPILED}
    return {name: columns[name] for name in order if name not in compiled}, compiled


def avoided(columns: Mapping[str, Computed]) -> bool | None:
    """Whether the workaround gives eager mode's result wherever the error shows.

    None if it did not run there.
    """
    ran = [it.instead for it in columns.values() if it.verdict == "wrong" and it.instead]
    return all(it == "equal" for it in ran) if ran else None
