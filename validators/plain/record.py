"""What was recorded of a plain program: `plain/NAME.json`, with a line for each column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from validators.errors import Problem
from validators.evidence.stored.column_files import ColumnRecords

Kind = Literal[
    "compiled_again", "difference", "eager_call", "exception", "graph_break", "recompile_limit"
]


class Seen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened to a program in one mode.

    `breaks` holds the kinds of graph breaks. `compiled_again` counts the graphs that were compiled
    after the first round of batch sizes. `differs` is empty if rounding explains all distances,
    else it holds the largest: from eager mode, from float64, and eager mode's from float64.
    `eager` is the exception that eager mode raises, `failure` how the process ended without an
    answer.
    """

    graphs: int = 0
    breaks: list[str] = []
    recompiles: int = 0
    compiled_again: int = 0
    limit: bool = False
    eager_calls: list[int] = []
    raised: str = ""
    differs: list[float] = []
    eager: str = ""
    failure: str = ""


class Finding(Struct, frozen=True, order=True):
    """Something that compiled code does otherwise than eager mode, or costs."""

    kind: Kind
    says: str = ""

    def __str__(self) -> str:
        name = self.kind.replace("_", " ")
        return f"{name}: {self.says}" if self.says else name


class PlainRecord(Struct, frozen=True):
    """What happened to a program in a column; `digest` covers what its file does."""

    digest: str
    modes: dict[str, Seen]


Records = dict[str, dict[str, PlainRecord]]
"""Records by program and column."""
_FILES = ColumnRecords(
    "plain",
    dict[str, PlainRecord],
    "cannot be read",
    "delete it, and record the program again",
)


def findings(record: PlainRecord) -> dict[Finding, list[str]]:
    """What was found, and in which modes."""
    found: dict[Finding, list[str]] = {}
    for mode, seen in record.modes.items():
        for finding in _findings(seen):
            found.setdefault(finding, []).append(mode)
    return found


def _findings(seen: Seen) -> Iterator[Finding]:
    for it in seen.breaks:
        yield Finding("graph_break", it)
    if seen.raised or seen.failure:
        yield Finding("exception", seen.raised or seen.failure)
    if seen.differs:
        yield Finding("difference", " ".join(f"{it:g}" for it in seen.differs))
    if seen.compiled_again:
        yield Finding("compiled_again")
    if seen.limit:
        yield Finding("recompile_limit")
    if seen.eager_calls and not seen.raised:
        yield Finding("eager_call")


def record_file(folder: Path, program: str) -> Path:
    """The file of a program in a folder of evidence."""
    return _FILES.place(folder, program)


def load_plain(folder: Path) -> tuple[Records, list[Problem]]:
    """All records of plain programs in a folder of evidence, and the damaged files."""
    damaged: list[Problem] = []
    return _FILES.load(folder, damaged), damaged


def write_plain(folder: Path, program: str, column: str, record: PlainRecord) -> None:
    """Store a record, in place of that of the same program and column."""
    _FILES.write(folder, program, column, record)


def differences(old: PlainRecord, new: PlainRecord) -> list[str]:
    """What two records of a program disagree about, in words."""
    told = [f"{mode}: is gone" for mode in old.modes if mode not in new.modes]
    # What has not been recorded of a mode is undecided.
    for mode in (it for it in new.modes if it in old.modes):
        before, after = old.modes[mode], new.modes[mode]
        for name in Seen.__struct_fields__:
            was, now = getattr(before, name), getattr(after, name)
            # The size of a difference is of the machine.
            if was != now and not (name == "differs" and was and now):
                told.append(f"{mode}: {name} is {now!r}, was {was!r}")
    return told
