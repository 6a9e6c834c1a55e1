"""Find the cases that changed since a git revision."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from validators.errors import CasebookError


def changed_since(revision: str, folders: Iterable[Path]) -> frozenset[str]:
    """The names of the files in `folders`, without suffix, that differ from `revision`.

    Untracked files count, ignored files do not. A case has changed if its page, its proof or an
    evidence file named after it has changed.

    Raises:
        CasebookError: git is missing, or finds no repository or no such revision.
    """
    names: set[str] = set()
    for folder in folders:
        if not folder.is_dir():
            continue
        names.update(changed_files(revision, folder))
    return frozenset(Path(name).stem for name in names)


def changed_files(revision: str, folder: Path) -> list[str]:
    """The files in `folder`, untracked ones included, that differ from `revision`.

    Their paths begin at the root of a repository if `folder` is its root.

    Raises:
        CasebookError: git is missing, or finds no repository or no such revision.
    """
    return [
        *_git(folder, "diff", "--name-only", "-z", "--no-renames", revision),
        *_git(folder, "ls-files", "-z", "--others", "--exclude-standard"),
    ]


def _git(folder: Path, *arguments: str) -> list[str]:
    """The names of files in `folder` that a git command prints, each ended by NUL."""
    command = ["git", "-C", str(folder), *arguments, "--", "."]
    try:
        done = subprocess.run(command, capture_output=True)
    except OSError:
        raise CasebookError("--changed-since: git is not installed; install it") from None
    if done.returncode:
        revision = arguments[-1]
        raise CasebookError(
            f"--changed-since: git finds no revision {revision!r} of {folder}; name one that it has"
        )
    return [name.decode(errors="replace") for name in done.stdout.split(b"\0") if name]
