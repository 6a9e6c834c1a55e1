"""Two measurements by turns, so that what disturbs the machine disturbs both alike."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable

from validators.probes.audit import auditing
from validators.probes.report import Report

Measure = tuple[str, Callable[[], float]]


def with_ratio(report: Report, fact: str, over: Measure, under: Measure, samples: int) -> Report:
    """Add to `report` the times of two named measurements, in seconds, and their ratio as `fact`.

    Each of `samples` turns measures `over`, then `under`. The fact is the median of the turns'
    ratios, which one slow or lucky turn does not move. A report that holds an exception, or is
    an audit's, is returned as it is.
    """
    if report.exception is not None or auditing():
        return report
    turns = [(over[1](), under[1]()) for _ in range(samples)]
    first, second = (list(times) for times in zip(*turns, strict=True))
    ratio = statistics.median(a / b for a, b in turns)
    return dataclasses.replace(
        report,
        times={**report.times, over[0]: first, under[0]: second},
        facts={**report.facts, fact: ratio},
    )
