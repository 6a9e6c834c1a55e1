"""How long a run still takes, from what its cases took before and from its own pace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import fmean

from validators.evidence import Evidence
from validators.runner.plan import Job

_SECONDS_PER_WEIGHT = 2.0
"""Of one core: each arm is followed by its audit."""
_PRIOR_WEIGHT = 30.0
"""So much of a run has to be decided for its own pace to count as much as the assumed one."""


class TimeLeft:
    """Estimates when the last of some jobs is decided.

    A job that is skipped weighs nothing; any other weighs what its case took in the evidence, in
    its own column or else in any; what no column has weighs as much as the mean job. The pace is
    that of this run.
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
        """Take `job` for decided."""
        weight = self._weights.pop(job.key, 0.0)
        self._left -= weight
        if self._first is None and weight:
            # Interpreters take their time to start, which says nothing about the pace.
            self._first, self._first_left = self._clock(), self._left

    @property
    def begun(self) -> bool:
        """Whether anything that runs is decided."""
        return self._first is not None

    def seconds(self) -> float:
        """Seconds until the run ends."""
        left = max(0.0, self._left * self._pace())
        if self._budget is None:
            return left
        return min(left, max(0.0, self._budget - (self._clock() - self._begun)))

    def _pace(self) -> float:
        """Seconds per weight: the assumed ones at first, then more and more those of this run."""
        if self._first is None:
            return self._assumed
        done, took = self._first_left - self._left, self._clock() - self._first
        return (took + self._assumed * _PRIOR_WEIGHT) / (done + _PRIOR_WEIGHT)


def _weights(jobs: Iterable[Job], evidence: Evidence) -> dict[tuple[str, str], float]:
    """What each job weighs: the seconds of its arms, as far as anything is known of them."""
    anywhere = {case: record.cpu_seconds for (case, _), record in evidence.items()}
    here = {key: record.cpu_seconds for key, record in evidence.items()}
    run = [job for job in jobs if not job.unmet]
    known = {job.key: here.get(job.key) or anywhere.get(job.case.name) for job in run}
    told = [seconds for seconds in known.values() if seconds]
    mean = fmean(told) if told else 1.0
    return {key: seconds or mean for key, seconds in known.items()}


def in_words(seconds: float) -> str:
    """A rough span of time: nobody can tell the seconds of a quarter of an hour."""
    if seconds < 90:
        return f"{max(5, round(seconds / 5) * 5)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
