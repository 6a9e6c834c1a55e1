"""The two sides of a comparison: evidence as it is, as it was at a revision, or elsewhere."""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from docsite.columns import Column, column, in_order
from validators.errors import CasebookError
from validators.evidence import Evidence, Record, load_evidence


@dataclass(frozen=True)
class Side:
    """One column's records by case, and the `place` that they were read from.

    `origin` is a folder's name or a commit, "" for the committed evidence of the working tree;
    `present` says that the records lie in the working tree, beside the cases as they stand.
    """

    column: Column
    records: dict[str, Record]
    place: str
    origin: str = ""
    present: bool = True

    @property
    def label(self) -> str:
        """The side for readers, such as "torch 2.13.0 (CPU) at 1a2b3c4d5e6f"."""
        if not self.origin:
            return self.column.label
        return f"{self.column.label} {'in' if self.present else 'at'} {self.origin}"


def read_pairs(before: str, after: str, evidence: Path) -> list[tuple[Side, Side]]:
    """What is to be compared: two columns, or the columns that both sides have.

    Each side is another folder of evidence, a column of the folder `evidence`, a git revision of
    that folder, or REVISION:COLUMN.

    Raises:
        CasebookError: a side is none of these or cannot be read, or the two have no column in
            common.
    """
    one, other = _read(before, evidence), _read(after, evidence)
    if len(one) == len(other) == 1:
        return [(one[0], other[0])]
    later = {side.column.name: side for side in other}
    pairs = [(side, later[side.column.name]) for side in one if side.column.name in later]
    if not pairs:
        raise CasebookError(
            f"{before} and {after}: have no column in common ({_names(one)}; {_names(other)}); "
            "name one of each, of a revision as REVISION:COLUMN"
        )
    return pairs


def _read(text: str, evidence: Path) -> list[Side]:
    """The columns that one side names, in order."""
    place = f"{evidence.parent.name}/{evidence.name}"
    if (Path(text) / "verdicts").is_dir():
        return _sides(load_evidence(Path(text), whole=True), text, Path(text).name)
    committed = load_evidence(evidence, whole=True)
    if text in (columns := sorted({column for _, column in committed})):
        return _sides(committed, place, "", name=text)
    revision, _, name = text.partition(":")
    commit = _git(evidence, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^0")
    if commit is None:
        raise CasebookError(
            f"{text}: is no folder of evidence, no column ({', '.join(columns) or 'none'}) and no "
            "git revision; name one of these, or REVISION:COLUMN"
        )
    # An entry is read when HEAD~1 has long been another commit.
    origin = commit.decode().strip()[:12]
    found = _at_revision(evidence, origin)
    columns = sorted({column for _, column in found})
    if not columns or (name and name not in columns):
        raise CasebookError(
            f"{text}: there is no such evidence at that revision "
            f"(columns: {', '.join(columns) or 'none'}); name another"
        )
    return _sides(found, f"{place} at {origin}", origin, name=name, present=False)


def _at_revision(evidence: Path, commit: str) -> Evidence:
    """All evidence at `commit`.

    Raises:
        CasebookError: a file of it is damaged.
    """
    packed = _git(evidence, "archive", "--format=zip", commit, "./")
    if packed is None:  # the folder was not there
        return {}
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(folder)
        return load_evidence(Path(folder), whole=True)


def _sides(
    evidence: Evidence, place: str, origin: str, *, name: str = "", present: bool = True
) -> list[Side]:
    """The columns of `evidence`, or the one called `name`."""
    columns: dict[str, dict[str, Record]] = {}
    for (case, column_name), record in sorted(evidence.items()):
        if name in ("", column_name):
            columns.setdefault(column_name, {})[case] = record
    if not columns:
        raise CasebookError(f"{place}: holds no record; run the cases, or name another")
    return [
        Side(column(it.name), columns[it.name], place, origin, present) for it in in_order(columns)
    ]


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints, run in `folder`; None where it fails."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def _names(sides: list[Side]) -> str:
    return ", ".join(side.column.name for side in sides)
