"""What Inductor and AOTAutograd count while a block runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch._dynamo.utils import counters

from validators.probes.report import Cache, Cudagraphs

_CACHE = {
    "fx_hits": ("inductor", "fxgraph_cache_hit"),
    "fx_misses": ("inductor", "fxgraph_cache_miss"),
    "aot_hits": ("aot_autograd", "autograd_cache_hit"),
    "aot_misses": ("aot_autograd", "autograd_cache_miss"),
}
_SKIPS = ("inductor", "cudagraph_skips")


class Counts:
    """How far the counters moved since the block began."""

    def __init__(self) -> None:
        self._before = self._read()
        self._after = self._before

    def stop(self) -> None:
        """Read the counters for the last time."""
        self._after = self._read()

    def cache(self) -> Cache | None:
        """Cache hits and misses; None where neither cache was asked."""
        moved = {name: self._moved(key) for name, key in _CACHE.items()}
        return Cache(**moved) if any(moved.values()) else None

    def cudagraphs(self) -> Cudagraphs | None:
        """CUDA graphs skipped; None where none was."""
        skips = self._moved(_SKIPS)
        return Cudagraphs(("",) * skips, 0, 0, 0) if skips else None

    def _moved(self, key: tuple[str, str]) -> int:
        # An arm may clear the counters; what it counted since then is all there is.
        return max(0, self._after[key] - self._before[key])

    def _read(self) -> dict[tuple[str, str], int]:
        return {key: int(counters[key[0]][key[1]]) for key in (*_CACHE.values(), _SKIPS)}


@contextmanager
def counting() -> Iterator[Counts]:
    """Compare the counters before and after the block."""
    counts = Counts()
    try:
        yield counts
    finally:
        counts.stop()
