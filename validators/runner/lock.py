"""The lock that keeps runs on one machine from timing their arms at the same time."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO

from validators.errors import printable

_log = logging.getLogger(__name__)

PATIENCE_SECONDS = 60.0
"""How many seconds one run waits for others, summed over its timed cases."""
_POLL_SECONDS = 0.2


class TimedTurns:
    """One run's turns to time its arms; a turn waits only for other runs that time arms.

    The user's lock file says which run holds it. `folder` is the repository of this run.
    """

    def __init__(self, folder: Path, patience: float = PATIENCE_SECONDS) -> None:
        self.folder, self.patience = folder, patience

    @contextlib.asynccontextmanager
    async def turn(self, case: str) -> AsyncIterator[None]:
        """Time the arms of `case` in the block: alone, or with a warning once patience runs out."""
        with lock_file().open("a+", errors="replace") as file:
            held = await self._taken(file, case)
            try:
                if held:
                    _write(file, f"process {os.getpid()} in {self.folder} is timing {case}")
                yield
            finally:
                # Otherwise other runs would report a turn that is over.
                if held:
                    _write(file, "")

    async def _taken(self, file: IO[str], case: str) -> bool:
        """Take the lock; return whether that succeeded before patience ran out."""
        begun = time.monotonic()
        held = _lock(file)
        if not held and self.patience > 0:
            _log.warning("%s: waiting up to %.0f s because %s", case, self.patience, _holder(file))
        while not held and time.monotonic() - begun < self.patience:
            await asyncio.sleep(_POLL_SECONDS)
            held = _lock(file)
        self.patience = max(0.0, self.patience - (time.monotonic() - begun))
        if not held:
            _log.warning("%s: its times may be off because %s", case, _holder(file))
        return held


def lock_file() -> Path:
    """This user's lock on the machine, whichever checkout the run belongs to."""
    return Path(f"/tmp/torch-compile-casebook-{os.getuid()}.lock")


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(file: IO[str]) -> str:
    file.seek(0)
    return printable(file.read(1000).strip()) or "another run on this machine is timing its arms"


def _write(file: IO[str], text: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()
