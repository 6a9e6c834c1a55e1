"""Signs of life of a command that takes long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TextIO, TypeVar

SILENT_SECONDS = 2.0
"""How long a command may print nothing."""
_CLEAR = "\r\x1b[K"
T = TypeVar("T")


class Track(Protocol):
    """Shows how far the work is while items are taken."""

    def __call__(self, items: Sequence[T], what: str, /) -> Iterable[T]:
        """Return the items, which `what` describes."""
        ...


class Waiting:
    """Says what is being done whenever nothing else was printed for a while; a context manager.

    On a terminal the line is replaced, and removed at the end; elsewhere lines follow each other.
    """

    def __init__(self, doing: str | Callable[[], str], stream: TextIO | None = None) -> None:
        """`doing` is what is done first, or a function that says it; `stream` is stderr if None."""
        self.doing = doing
        self._stream = stream or sys.stderr
        self._over = threading.Event()
        self._begun = self._printed = time.monotonic()
        self._shown = False
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Waiting:
        """Begin to watch."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what a terminal shows."""
        self._over.set()
        self._thread.join()
        if self._shown:
            self._write(_CLEAR)

    def printed(self) -> None:
        """Something else was printed."""
        self._printed = time.monotonic()

    def _watch(self) -> None:
        while not self._over.wait(SILENT_SECONDS / 8):
            now = time.monotonic()
            if now - self._printed < SILENT_SECONDS * 0.8:
                continue
            self._printed = now
            doing = self.doing if isinstance(self.doing, str) else self.doing()
            line = f"{doing} ({now - self._begun:.0f} s)"
            if self._stream.isatty():
                self._shown = True
                self._write(f"{_CLEAR}{line}")
            else:
                self._write(f"--- {line}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
