"""Change the user's files, with a backup beside each."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from validators.errors import CasebookError

Contents = tuple[bytes, bytes]
"""What a file holds, and what it shall hold."""


def write(files: Mapping[Path, Contents]) -> dict[Path, Path]:
    """Write all files or none; return the backup of each.

    Raises:
        CasebookError: a file no longer holds what was read, or is read-only.
    """
    for file, (before, _) in files.items():
        if file.read_bytes() != before:
            raise CasebookError(f"{file}: changed while its fix was verified; run patch again")
        if not file.stat().st_mode & stat.S_IWUSR:
            raise CasebookError(f"{file}: read-only; make it writable, or apply the diff elsewhere")
    backups: dict[Path, Path] = {}
    try:
        for file, (before, after) in files.items():
            backups[file] = _backup(file, before)
            _replace(file, after)
    except BaseException:
        for file in backups:
            _replace(file, files[file][0])
        raise
    return backups


def _backup(file: Path, content: bytes) -> Path:
    """A new file beside `file` with its content; an older backup keeps its name."""
    number = 0
    while True:
        path = file.with_name(f"{file.name}.orig{f'.{number}' if number else ''}")
        try:
            with path.open("xb") as stream:
                stream.write(content)
        except FileExistsError:
            number += 1
        else:
            shutil.copymode(file, path)
            return path


def _replace(file: Path, content: bytes) -> None:
    """Give a file another content in one step, so that it is never half written."""
    path = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        path.write_bytes(content)
        shutil.copymode(file, path)
        path.replace(file)
    finally:
        path.unlink(missing_ok=True)
