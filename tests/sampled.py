"""Which slow tests a run takes that lacks the time for all: those about what changed, and a few.

The sample rotates with the seed, so that runs of successive commits take all of them in turn.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Collection, Iterable, Set
from pathlib import Path, PurePosixPath


def changed_files(root: Path, revision: str) -> list[str]:
    """The files, by their paths in the repository at `root`, that differ from a revision of git.

    Raises:
        subprocess.CalledProcessError: git does not know the revision.
    """
    command = ["git", "-C", str(root), "diff", "--name-only", revision]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def rooms(changed: Iterable[str]) -> set[PurePosixPath]:
    """The folders and files of tests that are about changed files."""
    return {_room(PurePosixPath(it).parts) for it in changed}


def taken(files: Collection[str], touched: Set[PurePosixPath], most: int, seed: str) -> set[str]:
    """Of files with slow tests, those about what changed and `most` others, by the seed."""
    ours = {it for it in files if touched & {(path := PurePosixPath(it)), *path.parents}}
    return ours | {*sorted({*files} - ours, key=lambda it: _shuffled(it, seed))[:most]}


def _room(parts: tuple[str, ...]) -> PurePosixPath:
    """`validators/runner/plan.py` has `tests/validators/runner`; a file of tests has itself."""
    if parts[0] == "tests":
        return PurePosixPath(*parts)
    inside = parts[1:] if parts[0] == "site" else parts
    return PurePosixPath("tests", *inside[: 2 if inside[0] == "validators" else 1])


def _shuffled(file: str, seed: str) -> str:
    return hashlib.sha256(f"{seed} {file}".encode()).hexdigest()
