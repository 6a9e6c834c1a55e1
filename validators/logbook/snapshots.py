"""Snapshots of evidence to compare: a column as it is, at a git revision, or in another file."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from validators.errors import CasebookError
from validators.evidence import Record
from validators.evidence.columns import Column, column, in_order
from validators.evidence.store import decode_record, read_records


@dataclass(frozen=True)
class Snapshot:
    """One column's records by case, and the `place` that they were read from.

    `origin` is a file's name or a commit, "" for the committed evidence of the working tree;
    `present` says that the records lie in the working tree, beside the cases as they stand.
    """

    column: Column
    records: dict[str, Record]
    place: str
    origin: str = ""
    present: bool = True

    @property
    def label(self) -> str:
        """The snapshot for readers, such as "torch 2.13.0 (CPU) at 1a2b3c4d5e6f"."""
        if not self.origin:
            return self.column.label
        return f"{self.column.label} {'in' if self.present else 'at'} {self.origin}"


def read_pairs(before: str, after: str, evidence: Path) -> list[tuple[Snapshot, Snapshot]]:
    """What is to be compared: two columns, or the columns that both names stand for.

    Each name is a file of evidence, a column of the folder `evidence`, a git revision of that
    folder, or REVISION:COLUMN.

    Raises:
        CasebookError: a name is none of these or cannot be read, or the two have no column in
            common.
    """
    one, other = _read(before, evidence), _read(after, evidence)
    if len(one) == len(other) == 1:
        return [(one[0], other[0])]
    later = {it.column.name: it for it in other}
    pairs = [(it, later[it.column.name]) for it in one if it.column.name in later]
    if not pairs:
        raise CasebookError(
            f"{before} and {after}: have no column in common ({_names(one)}; {_names(other)}); "
            "name one of each, of a revision as REVISION:COLUMN"
        )
    return pairs


def _read(name: str, evidence: Path) -> list[Snapshot]:
    """The columns that one name stands for, in order."""
    if name.endswith(".jsonl"):
        return _of_file(Path(name), name, Path(name).name)
    file = evidence / f"{name}.jsonl"
    if "/" not in name and file.is_file():
        return _of_file(file, f"{evidence.parent.name}/{evidence.name}/{file.name}", "")
    revision, _, wanted = name.partition(":")
    commit = _git(evidence, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^0")
    if commit is None:
        known = ", ".join(sorted(path.stem for path in evidence.glob("*.jsonl"))) or "none"
        raise CasebookError(
            f"{name}: is not a file of evidence (.jsonl), a column ({known}) or a git revision; "
            "name one of these, or REVISION:COLUMN"
        )
    return _of_revision(evidence, commit.decode().strip(), name, wanted)


def _of_file(file: Path, place: str, origin: str) -> list[Snapshot]:
    numbered, problems = read_records(file)
    if problems:
        raise CasebookError(str(problems[0]))
    return _by_column([record for _, record in numbered], place, origin, present=True)


def _of_revision(evidence: Path, commit: str, name: str, wanted: str) -> list[Snapshot]:
    """The columns of the evidence at `commit`, or only the one called `wanted`."""
    listed = (_git(evidence, "ls-tree", "--name-only", commit, "./") or b"").decode().split("\n")
    found = [file for file in listed if file.endswith(".jsonl")]
    files = [f"{wanted}.jsonl"] if wanted else found
    if not found or files[0] not in found:
        columns = ", ".join(file.removesuffix(".jsonl") for file in found) or "none"
        raise CasebookError(
            f"{name}: there is no such evidence at that revision (columns: {columns}); name another"
        )
    # An entry is read when HEAD~1 has long been another commit.
    snapshots, origin = [], commit[:12]
    for file in files:
        content = _git(evidence, "show", f"{commit}:./{file}") or b""
        place = f"{evidence.parent.name}/{evidence.name}/{file} at {origin}"
        records = [_decoded(line, f"{place}:{n}") for n, line in enumerate(content.splitlines(), 1)]
        snapshots += _by_column(records, place, origin, present=False)
    return snapshots


def _decoded(line: bytes, place: str) -> Record:
    try:
        return decode_record(line)
    except ValueError as error:
        raise CasebookError(f"{place}: is not a record ({error}); name a later revision") from None


def _by_column(records: list[Record], place: str, origin: str, *, present: bool) -> list[Snapshot]:
    if not records:
        raise CasebookError(f"{place}: holds no record; run the cases, or name another")
    columns: dict[str, dict[str, Record]] = {}
    for record in records:
        columns.setdefault(record.column, {})[record.case] = record
    return [
        Snapshot(column(it.name), columns[it.name], place, origin, present)
        for it in in_order(columns)
    ]


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints, run in `folder`; None where it fails."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def _names(snapshots: list[Snapshot]) -> str:
    return ", ".join(it.column.name for it in snapshots)
