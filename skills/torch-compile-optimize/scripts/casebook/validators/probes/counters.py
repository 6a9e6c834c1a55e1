"""What Inductor and AOTAutograd count while a block runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from torch._dynamo.utils import counters

from validators.probes.report import Cache
from validators.probes.text import clean

_CACHE = {
    "fx_hits": ("inductor", "fxgraph_cache_hit"),
    "fx_misses": ("inductor", "fxgraph_cache_miss"),
    "aot_hits": ("aot_autograd", "autograd_cache_hit"),
    "aot_misses": ("aot_autograd", "autograd_cache_miss"),
}
_SKIPS = ("inductor", "cudagraph_skips")
_SKIP_LOG = "torch._inductor.cudagraph_utils.__cudagraphs"
UNLOGGED = "no reason logged: no GPU among the graph's devices, or a policy"


class Counts:
    """How far the counters moved since the block began."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self._before = self._read()
        self._after = self._before

    def stop(self) -> None:
        """Read the counters for the last time."""
        self._after = self._read()

    def cache(self) -> Cache | None:
        """Cache hits and misses; None if neither cache was used."""
        moved = {name: self._moved(key) for name, key in _CACHE.items()}
        return Cache(**moved) if any(moved.values()) else None

    def cudagraph_skips(self) -> tuple[str, ...]:
        """A reason for each CUDA graph skipped; `UNLOGGED` where torch gave none."""
        unlogged = self._moved(_SKIPS) - len(self.reasons)
        return (*self.reasons, *(UNLOGGED,) * unlogged)

    def _moved(self, key: tuple[str, str]) -> int:
        # An arm may clear the counters; then only what was counted since is known.
        return max(0, self._after[key] - self._before[key])

    def _read(self) -> dict[tuple[str, str], int]:
        return {key: int(counters[key[0]][key[1]]) for key in (*_CACHE.values(), _SKIPS)}


class _Reasons(logging.Handler):
    """Keeps the reasons that Inductor logs with each skip."""

    def __init__(self, reasons: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.reasons = reasons

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one reason; called by the logger, which carries other warnings too."""
        message = record.getMessage()
        if message.startswith("skipping cudagraphs"):
            self.reasons.append(clean(message))


@contextmanager
def counting() -> Iterator[Counts]:
    """Compare the counters before and after the block."""
    counts = Counts()
    logger, handler = logging.getLogger(_SKIP_LOG), _Reasons(counts.reasons)
    logger.addHandler(handler)
    try:
        yield counts
    finally:
        logger.removeHandler(handler)
        counts.stop()
