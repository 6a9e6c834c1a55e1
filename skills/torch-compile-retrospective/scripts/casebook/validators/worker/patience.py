"""Whether there is time for more of the same."""

from __future__ import annotations

import time

_SHARE = 0.7
"""The part of a time limit that may be planned for."""


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
