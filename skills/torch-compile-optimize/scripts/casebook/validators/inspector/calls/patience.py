"""Whether there is time for more of the same."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

_SHARE = 0.7
"""The part of a time limit that may be planned for."""


class TooLong(Exception):
    """A block takes longer than it may."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End a block of Python code after so many seconds; in other threads than the main one, never.

    Raises:
        TooLong: the block was ended.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> NoReturn:
        raise TooLong(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Patience:
    """Measures rounds of work against the `seconds` that all may take; 0 sets no limit."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.begun = self.last = time.monotonic()
        self.longest = 0.0

    def lasts(self) -> bool:
        """Whether another round is likely to end in time; a round has ended just now."""
        now = time.monotonic()
        self.longest, self.last = max(self.longest, now - self.last), now
        return not self.seconds or now - self.begun + self.longest <= _SHARE * self.seconds
