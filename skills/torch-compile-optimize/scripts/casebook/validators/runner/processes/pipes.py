"""Draining a worker's pipes: everything is read, little is kept."""

from __future__ import annotations

import asyncio
import contextlib
import os

OUTPUT_KEPT = 16 * 1024
RESULT_LIMIT = 4 * 1024 * 1024


class Drain:
    """Reads a pipe as it fills and keeps at most `limit` bytes: the last ones, or the first.

    It never waits for the end of the pipe: a stray descendant may hold the other side open forever.
    """

    def __init__(self, limit: int, keep_last: bool) -> None:
        self.read_end, self.write_end = os.pipe()
        os.set_blocking(self.read_end, False)
        self.limit, self.keep_last = limit, keep_last
        self.kept = bytearray()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self.read_end, self._read_some)

    def close_write_end(self) -> None:
        """Close our copy of the end that the worker writes to."""
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1

    def finish(self) -> bytes:
        """Read the rest, close the pipe and return what was kept, once the writer has ended."""
        with contextlib.suppress(BlockingIOError):
            while self._take():
                pass
        self._loop.remove_reader(self.read_end)
        os.close(self.read_end)
        self.close_write_end()
        return bytes(self.kept)

    def _read_some(self) -> None:
        with contextlib.suppress(BlockingIOError):
            if not self._take():
                self._loop.remove_reader(self.read_end)

    def _take(self) -> int:
        data = os.read(self.read_end, 1 << 16)
        self.kept += data
        if len(self.kept) > self.limit:
            del self.kept[slice(None, -self.limit) if self.keep_last else slice(self.limit, None)]
        return len(data)
