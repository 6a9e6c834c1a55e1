"""Snapshots of evidence to compare: a column as it is, at a git revision, or in another folder."""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from validators.errors import CasebookError
from validators.evidence import Evidence, Record, load_evidence
from validators.evidence.columns import Column, in_order


@dataclass(frozen=True)
class Snapshot:
    """One column's records by case.

    `origin` is the commit or the folder that they were read from, or "" for the committed evidence.
    """

    column: Column
    records: dict[str, Record]
    origin: str

    @property
    def label(self) -> str:
        """The snapshot for readers, such as "torch 2.13.0 (CPU) at 1a2b3c4d5e6f"."""
        return f"{self.column.label} at {self.origin}" if self.origin else self.column.label

    @property
    def name(self) -> str:
        """The snapshot for commands, such as "1a2b3c4d5e6f:torch-2.13.0-cpu"."""
        return f"{self.origin}:{self.column.name}" if self.origin else self.column.name


def read_pairs(before: str, after: str, evidence: Path) -> list[tuple[Snapshot, Snapshot]]:
    """Read the pairs to compare: two columns, or each column that both names have.

    Each name is a column of the folder `evidence`, a git revision of it, or another such folder.
    After a revision or a folder, `:COLUMN` names one column.

    Raises:
        CasebookError: a name is none of these or cannot be read, or the two have no column in
            common.
    """
    earlier, later = _read(before, evidence), _read(after, evidence)
    if len(earlier) == len(later) == 1:
        return [(earlier[0], later[0])]
    by_column = {it.column: it for it in later}
    pairs = [(it, by_column[it.column]) for it in earlier if it.column in by_column]
    if not pairs:
        raise CasebookError(
            f"{before} and {after}: have no column in common; "
            "name one column of each, as in REVISION:COLUMN"
        )
    return pairs


def _read(name: str, evidence: Path) -> list[Snapshot]:
    """The columns that one name stands for, in order."""
    committed = load_evidence(evidence, whole=True)
    if name in {column for _, column in committed}:
        return _snapshots(committed, name, "")
    origin, _, column = name.partition(":")
    commit = _git(evidence, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{origin}^0")
    if (Path(origin) / "verdicts").is_dir():
        records = load_evidence(Path(origin), whole=True)
    elif commit:
        # Readers of the entry need the commit: by then HEAD~1 is another one.
        origin = commit.decode()[:12]
        records = _at_revision(evidence, origin)
    else:
        columns = ", ".join(it.name for it in in_order(column for _, column in committed))
        raise CasebookError(
            f"{name}: is not a folder of evidence, a column ({columns or 'none'}) or a git "
            "revision; name one of these, or FOLDER:COLUMN or REVISION:COLUMN"
        )
    if found := _snapshots(records, column, origin):
        return found
    raise CasebookError(f"{name}: there is no such evidence; name another column")


def _snapshots(evidence: Evidence, column: str, origin: str) -> list[Snapshot]:
    """The columns of `evidence`, or the one that is named."""
    by_column: dict[str, dict[str, Record]] = {}
    for (case, name), record in sorted(evidence.items()):
        by_column.setdefault(name, {})[case] = record
    names = [name for name in by_column if column in ("", name)]
    return [Snapshot(it, by_column[it.name], origin) for it in in_order(names)]


def _at_revision(evidence: Path, commit: str) -> Evidence:
    packed = _git(evidence, "archive", "--format=zip", commit, "./")
    if packed is None:  # the folder was not there
        return {}
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(folder)
        try:
            return load_evidence(Path(folder), whole=True)
        except CasebookError as error:
            raise CasebookError(str(error).replace(f"{folder}/", f"{commit}:")) from None


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints, run in `folder`; None if it fails."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else None
