"""Intervals for ratios of times, by a bootstrap over blocks of calls in a row.

Neighbouring calls share what disturbs them, so blocks are drawn instead of calls. An interval holds
for the process that was measured; another start of the same program may be faster or slower.
"""

from __future__ import annotations

import itertools
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

FEWEST = 10
"""With fewer calls than this, no interval is given."""
_BLOCKS = 60
_DRAWS = 1000
_OUTSIDE = 0.025
"""The part of the draws on either side of an interval: 95 % lie inside."""


@dataclass(frozen=True)
class Interval:
    """A ratio and the ends of its 95 % interval."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"

    def widened(self, spread: float) -> Interval:
        """The interval with both ends moved by a factor, `spread` or its inverse."""
        factor = max(spread, 1 / spread)
        return Interval(self.middle, self.low / factor, self.high * factor)

    def side(self, threshold: float) -> int:
        """1 if the interval lies at or above the threshold, -1 if below, 0 if it holds it."""
        return int(self.low >= threshold) - int(self.high < threshold)


def blocks(values: Sequence[float]) -> list[float]:
    """The medians of at most 60 blocks of values in a row."""
    many = min(_BLOCKS, len(values))
    ends = [len(values) * at // many for at in range(many + 1)]
    return [statistics.median(values[a:b]) for a, b in itertools.pairwise(ends)]


def paired(over: Sequence[float], under: Sequence[float]) -> list[float]:
    """The ratio of two series that took turns, block by block."""
    return [a / b for a, b in zip(blocks(over), blocks(under), strict=True)]


def median_of(ratios: Sequence[float]) -> Interval | None:
    """The median of blocks; None for fewer than ten."""
    return _drawn(lambda drawn: drawn[0], ratios)


def ratio_of(over: Sequence[float], under: Sequence[float]) -> Interval | None:
    """The ratio of the medians of two series of blocks; None if one has fewer than ten."""
    return _drawn(lambda drawn: drawn[0] / drawn[1], over, under)


def drift_of(series: Sequence[float]) -> Interval | None:
    """The last third of blocks over the first third; None for fewer than thirty blocks."""
    third = len(series) // 3
    return ratio_of(series[-third:], series[:third]) if third else None


def speedup(seconds: dict[str, list[float]]) -> Interval | None:
    """How many times as fast compiled calls are as eager ones, from a report's part `gain`.

    The interval is widened by how much eager calls differ from eager calls.
    """
    found = median_of(gains(seconds))
    return found and found.widened(noise(seconds))


def gains(seconds: dict[str, list[float]]) -> list[float]:
    """Eager seconds over compiled ones, block by block."""
    return paired(seconds["eager"], seconds["compiled"])


def noise(seconds: dict[str, list[float]]) -> float:
    """How many times as fast eager calls are as eager calls: 1 without noise."""
    return statistics.median(paired(seconds["eager"], seconds["again"]))


def _drawn(ratio: Callable[[list[float]], float], *several: Sequence[float]) -> Interval | None:
    """`ratio` of the medians of several series, and of draws from them."""
    if min(map(len, several)) < FEWEST:
        return None
    chance = random.Random(0)
    draws = sorted(
        ratio([statistics.median(chance.choices(it, k=len(it))) for it in several])
        for _ in range(_DRAWS)
    )
    outside = int(_OUTSIDE * _DRAWS)
    middle = ratio([statistics.median(it) for it in several])
    return Interval(middle, draws[outside], draws[-1 - outside])
