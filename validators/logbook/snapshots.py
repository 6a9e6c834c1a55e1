"""Snapshots of evidence to compare: a column as it is, at a git revision, or elsewhere."""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from validators.environment.column_name import by_release
from validators.errors import CasebookError, Problem
from validators.evidence import Evidence, Record, load_evidence
from validators.evidence.columns import Column, in_order


@dataclass(frozen=True)
class Snapshot:
    """One column's records by case, and the `place` that they were read from.

    `origin` is a folder's name or a commit; "" is the committed evidence of the working tree.
    `present` says that the records are in the working tree, beside the cases as they are now.
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
    """The pairs to compare: two columns, or each column that both names have.

    Each name is a column of the folder `evidence`, a git revision of it, or another such folder.
    After a revision or a folder, `:COLUMN` names one column.

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
            "name one column of each, as in REVISION:COLUMN"
        )
    return pairs


def _read(text: str, evidence: Path) -> list[Snapshot]:
    """The columns that one name stands for, in order."""
    place = f"{evidence.parent.name}/{evidence.name}"
    committed = load_evidence(evidence, whole=True)
    if text in (columns := _columns(committed)):
        return _by_column(committed, place, "", name=text)
    origin, _, name = text.partition(":")
    if (Path(origin) / "verdicts").is_dir():
        found, place, present = load_evidence(Path(origin), whole=True), origin, True
        origin = Path(origin).name
    else:
        revision = origin + "^0"
        commit = _git(evidence, "rev-parse", "--verify", "--quiet", "--end-of-options", revision)
        if commit is None:
            raise CasebookError(
                f"{text}: is not a folder of evidence, a column ({', '.join(columns) or 'none'}) "
                "or a git revision; name one of these, or FOLDER:COLUMN or REVISION:COLUMN"
            )
        # Readers of the entry need the commit: by then HEAD~1 is another one.
        origin = commit.decode().strip()[:12]
        found, place, present = _at_revision(evidence, origin), f"{place} at {origin}", False
    if not found or (name and name not in _columns(found)):
        raise CasebookError(
            f"{text}: there is no such evidence (columns: {', '.join(_columns(found)) or 'none'}); "
            "name another column"
        )
    return _by_column(found, place, origin, name=name, present=present)


def _columns(evidence: Evidence) -> list[str]:
    return sorted({column for _, column in evidence}, key=by_release)


def _at_revision(evidence: Path, commit: str) -> Evidence:
    """All evidence at `commit`.

    Raises:
        CasebookError: a file of it is damaged.
    """
    packed = _git(evidence, "archive", "--format=zip", commit, "./")
    if packed is None:  # the folder was not there
        return {}
    damaged: list[Problem] = []
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(folder)
        found = load_evidence(Path(folder), damaged, whole=True)
        for problem in damaged:
            place = problem.path.relative_to(folder).as_posix()
            raise CasebookError(f"{place} at {commit}: {problem.message}")
    return found


def _by_column(
    evidence: Evidence, place: str, origin: str, *, name: str = "", present: bool = True
) -> list[Snapshot]:
    """The columns of `evidence`, or the one called `name`."""
    columns: dict[str, dict[str, Record]] = {}
    for (case, column_name), record in sorted(evidence.items()):
        if name in ("", column_name):
            columns.setdefault(column_name, {})[case] = record
    return [Snapshot(it, columns[it.name], place, origin, present) for it in in_order(columns)]


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints, run in `folder`; None if it fails."""
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def _names(snapshots: list[Snapshot]) -> str:
    return ", ".join(it.column.name for it in snapshots)
