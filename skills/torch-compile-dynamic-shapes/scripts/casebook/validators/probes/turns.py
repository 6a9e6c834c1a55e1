"""Arms that build and compile beside each other, and take turns to be timed alone.

Two locks in a folder order them. Whoever compiles shares `compiling`; whoever is timed holds it
alone. `door` keeps newcomers out while anybody waits to be timed, who would wait for them, too.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_locks: list[IO[str]] = []
"""The door and the lock of this process, once it has joined."""


def join(folder: Path) -> None:
    """Compile beside the others that joined in `folder`, once none of them waits to be timed."""
    door, compiling = ((folder / name).open("a") for name in ("door", "compiling"))
    with _held(door, fcntl.LOCK_EX):
        fcntl.flock(compiling, fcntl.LOCK_SH)
    _locks[:] = door, compiling


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Let nobody else who joined the same folder compile, or be timed, within the block.

    Afterwards this process must do nothing that would disturb others.
    """
    if not _locks:
        yield
        return
    door, compiling = _locks
    with _held(door, fcntl.LOCK_SH):
        # Somebody else may wait for this process to stop compiling.
        fcntl.flock(compiling, fcntl.LOCK_UN)
        with _held(compiling, fcntl.LOCK_EX):
            yield


@contextlib.contextmanager
def _held(lock: IO[str], how: int) -> Iterator[None]:
    fcntl.flock(lock, how)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)
