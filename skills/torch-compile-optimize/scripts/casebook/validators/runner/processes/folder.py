"""The temporary folder of one interpreter's workers, and those that a killed runner left."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_PREFIX = "casebook-"
_OWNER = "owner.lock"


@contextlib.contextmanager
def run_folder() -> Iterator[Path]:
    """Make a folder for the block; before that, remove folders whose owners are gone."""
    _sweep()
    folder, lock = _new_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def _new_folder() -> tuple[Path, IO[str]]:
    """A new folder, and the lock that its owner holds as long as it lives."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = (folder / _OWNER).open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Before it was locked, another runner may have removed it as one that nobody owns.
        if (folder / _OWNER).exists():
            return folder, lock
        lock.close()


def _sweep() -> None:
    for lock in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_OWNER}"):
        with contextlib.suppress(OSError):
            descriptor = os.open(lock, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
            finally:
                os.close(descriptor)
