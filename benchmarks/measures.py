"""Measures: samples with a unit, and the target that they have to meet."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from msgspec import Struct


class Measure(Struct, frozen=True, kw_only=True):
    """One row of the results; `target` is None where a figure is only reported.

    A target is an upper limit, as for a time, or with `at_least` a lower one, as for a ratio.
    `note` says what a reader must know to judge the figure.
    """

    what: str
    unit: str
    samples: list[float]
    target: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def median(self) -> float:
        """The middle of the samples."""
        return statistics.median(self.samples)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the greatest sample."""
        return min(self.samples), max(self.samples)

    @property
    def met(self) -> bool | None:
        """Whether the median meets the target; None where there is none."""
        if self.target is None:
            return None
        return self.median >= self.target if self.at_least else self.median < self.target


def ratio(over: Iterable[float], under: Iterable[float]) -> float:
    """The median of `over`, divided by the median of `under`."""
    return statistics.median(over) / statistics.median(under)
