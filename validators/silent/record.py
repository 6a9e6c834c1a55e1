"""What was recorded of a silent error: `silent/NAME.json`, with a line for each column."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from validators.environment.column_name import by_release
from validators.errors import Problem
from validators.evidence.column_files import ColumnFiles
from validators.evidence.writing import locked, replace_file

Verdict = Literal["wrong", "right", "raises", "eager raises", "failed"]
"""What compiled code computes, beside eager mode; or that it raises, or dies."""


class Computed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a program computed in a column; `digest` covers what its file does.

    `says` is where it is wrong, or what is raised. `backend` is the first that computes it wrongly,
    and `instead` what the workaround does: "equal" to eager mode, or not.
    """

    digest: str
    verdict: Verdict
    says: str = ""
    backend: str = ""
    instead: str = ""


Records = dict[str, dict[str, Computed]]
"""Records by program and column."""
_FILES = ColumnFiles(
    "silent",
    dict[str, Computed],
    "cannot be read",
    "delete it, and record the silent error again",
)
_encode = msgspec.json.Encoder(order="deterministic").encode


def record_file(folder: Path, name: str) -> Path:
    """The file of a silent error in a folder of evidence."""
    return _FILES.place(folder, name)


def load_computed(folder: Path) -> tuple[Records, list[Problem]]:
    """All records of silent errors in a folder of evidence, and the damaged files."""
    damaged: list[Problem] = []
    return _FILES.load(folder, damaged), damaged


def write_computed(folder: Path, name: str, column: str, computed: Computed) -> None:
    """Store a record, in place of that of the same program and column."""
    with locked(folder):
        stored = _FILES.load_case(folder, name, []).get(name, {})
        replace_file(folder, record_file(folder, name), _text({**stored, column: computed}))


def _text(columns: Mapping[str, Computed]) -> bytes:
    known = sorted(columns, key=by_release)
    lines = [f'"{name}":{_encode(columns[name]).decode()}' for name in known]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
