"""How long a run still takes, from what its cases took before and from its own pace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import fmean

from validators.evidence import Evidence
from validators.runner.plan import Job

_SECONDS_PER_WEIGHT = 2.0
"""Seconds of one core: an audit follows each arm."""
_PRIOR_WEIGHT = 30.0
"""Once this much weight is decided, a run's own pace counts as much as the assumed one."""


class TimeLeft:
    """Estimates when the last of some jobs is decided.

    A skipped job weighs nothing. Any other weighs the seconds that its case took in the evidence:
    in its own column or, failing that, in any. A case that has no record weighs as much as the
    mean job. The pace is that of this run.
    """

    def __init__(
        self,
        jobs: Iterable[Job],
        evidence: Evidence,
        width: int,
        budget: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`width` jobs run at a time, and the run stops after `budget` seconds."""
        self._weights = _weights(jobs, evidence)
        self._left = sum(self._weights.values())
        self._assumed = _SECONDS_PER_WEIGHT / width
        self._budget, self._clock = budget, clock
        self._begun = clock()
        self._first: float | None = None
        self._first_left = 0.0

    def note(self, job: Job) -> None:
        """Count `job` as decided."""
        weight = self._weights.pop(job.key, 0.0)
        self._left -= weight
        if self._first is None and weight:
            # The first job waits for interpreters to start, which says nothing about the pace.
            self._first, self._first_left = self._clock(), self._left

    @property
    def begun(self) -> bool:
        """Whether any job that runs has been decided."""
        return self._first is not None

    def seconds(self) -> float:
        """Seconds until the run ends."""
        left = max(0.0, self._left * self._pace())
        if self._budget is None:
            return left
        return min(left, max(0.0, self._budget - (self._clock() - self._begun)))

    def _pace(self) -> float:
        """Seconds per weight: the assumed pace at first, then more and more that of this run."""
        if self._first is None:
            return self._assumed
        done, took = self._first_left - self._left, self._clock() - self._first
        return (took + self._assumed * _PRIOR_WEIGHT) / (done + _PRIOR_WEIGHT)


def _weights(jobs: Iterable[Job], evidence: Evidence) -> dict[tuple[str, str], float]:
    """The weight of each job: the seconds of its arms if known, else those of a mean job."""
    anywhere = {case: record.cpu_seconds for (case, _), record in evidence.items()}
    here = {key: record.cpu_seconds for key, record in evidence.items()}
    run = [job for job in jobs if not job.unmet]
    known = {job.key: here.get(job.key) or anywhere.get(job.case.name) for job in run}
    told = [seconds for seconds in known.values() if seconds]
    mean = fmean(told) if told else 1.0
    return {key: seconds or mean for key, seconds in known.items()}


def in_words(seconds: float) -> str:
    """A rounded span of time: in an estimate of minutes, seconds mean nothing."""
    if seconds < 90:
        return f"{max(5, round(seconds / 5) * 5)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
