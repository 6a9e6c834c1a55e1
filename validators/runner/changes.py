"""Which cases a git revision does not have as they stand."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from validators.errors import CasebookError


def changed_since(revision: str, folders: Iterable[Path]) -> frozenset[str]:
    """The names of the files in `folders`, without suffix, that differ from `revision`.

    Files that git does not track yet count, those that it is told to ignore do not. A case changed
    where its page, its proof or a file of evidence that is named after it did.

    Raises:
        CasebookError: there is no git, no repository, or no such revision in it.
    """
    names: set[str] = set()
    for folder in folders:
        if not folder.is_dir():
            continue
        names.update(_git(folder, "diff", "--name-only", "-z", "--no-renames", revision))
        names.update(_git(folder, "ls-files", "-z", "--others", "--exclude-standard"))
    return frozenset(Path(name).stem for name in names)


def _git(folder: Path, *arguments: str) -> list[str]:
    """The names, ended by NUL, that a git command prints of the files in `folder`."""
    command = ["git", "-C", str(folder), *arguments, "--", "."]
    try:
        done = subprocess.run(command, capture_output=True)
    except OSError:
        raise CasebookError("--changed-since: there is no git; install it") from None
    if done.returncode:
        revision = arguments[-1]
        raise CasebookError(
            f"--changed-since: git finds no revision {revision!r} of {folder}; name one it has"
        )
    return [name.decode(errors="replace") for name in done.stdout.split(b"\0") if name]
