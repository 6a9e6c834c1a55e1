"""Run a plan: jobs go to the workers of their interpreters, and decisions come back one by one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from validators.catalog import Catalog
from validators.environment.gpu import gpu_programs
from validators.errors import CasebookError
from validators.evidence import write_record
from validators.runner.decide import Decider, Decision
from validators.runner.lock import TimedTurns
from validators.runner.plan import Job, Plan, Settings
from validators.runner.processes.supervisor import adopt_orphans, end_orphans
from validators.runner.processes.workers import Workers
from validators.runner.timed import takes_turns

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Started:
    """A job has started."""

    job: Job


@dataclass(frozen=True)
class Decided:
    """A job has ended; its record is on disk."""

    job: Job
    decision: Decision


Listener = Callable[[Started | Decided], None]


def run_plan(
    catalog: Catalog, plan: Plan, settings: Settings, folder: Path, listener: Listener
) -> list[Decided]:
    """Run all jobs of `plan`; write every record into `folder` as it arrives.

    The run stops when the budget is spent, and leaves the other jobs undecided. KeyboardInterrupt
    stops all workers and propagates; decisions made by then are on disk.
    """
    adopt_orphans()
    decided: list[Decided] = []

    def keep(event: Started | Decided) -> None:
        if isinstance(event, Decided):
            write_record(folder, event.decision.record)
            decided.append(event)
        listener(event)

    try:
        asyncio.run(_Run(catalog, settings, keep).within_budget(plan))
    except* (OSError, CasebookError) as group:
        # Report a failed write once, however many arms were running.
        raise _first(group) from None
    finally:
        end_orphans()
    return decided


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    error: BaseException = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


class _Run:
    def __init__(self, catalog: Catalog, settings: Settings, listener: Listener) -> None:
        self.catalog, self.settings, self.listener = catalog, settings, listener
        self.turns = TimedTurns(catalog.root.resolve().parent.parent)

    async def within_budget(self, plan: Plan) -> None:
        try:
            async with asyncio.timeout(self.settings.budget) as budget:
                await self._all(plan)
        except TimeoutError:
            if not budget.expired():
                raise

    async def _all(self, plan: Plan) -> None:
        """Run the jobs in order: neighbours at the same time, but not with timed jobs.

        Only timed jobs take the machine's lock.
        """
        async with self._deciders(plan.jobs) as deciders:
            for how, jobs in groupby(plan.jobs, self._how):
                await how(jobs, deciders)

    def _how(self, job: Job) -> Callable[[Iterable[Job], dict[str, Decider]], Awaitable[None]]:
        """What runs a job and its neighbours."""
        if not job.case.meta.exclusive:
            return self._together
        return self._in_turns if takes_turns(job.case) else self._alone

    async def _together(self, jobs: Iterable[Job], deciders: dict[str, Decider]) -> None:
        """Start `jobs` in order, as many at a time as the settings say."""
        queue = iter(jobs)

        async def work() -> None:
            for job in queue:
                self.listener(Started(job))
                self.listener(Decided(job, await deciders[job.env.python].decide(job)))

        async with asyncio.TaskGroup() as group:
            for _ in range(self.settings.jobs):
                group.create_task(work())

    async def _in_turns(self, jobs: Iterable[Job], deciders: dict[str, Decider]) -> None:
        timed = list(jobs)
        async with self.turns.turn(timed[0].case.name):
            await asyncio.to_thread(_warn_of_company, timed[0])
            await self._together(timed, deciders)

    async def _alone(self, jobs: Iterable[Job], deciders: dict[str, Decider]) -> None:
        for job in jobs:
            await self._in_turns([job], deciders)

    @contextlib.asynccontextmanager
    async def _deciders(self, jobs: Iterable[Job]) -> AsyncIterator[dict[str, Decider]]:
        slots = asyncio.Semaphore(self.settings.jobs)
        async with contextlib.AsyncExitStack() as stack:
            deciders = {}
            for env in {job.env.python: job.env for job in jobs}.values():
                workers = await stack.enter_async_context(Workers(env, self.settings.isolation))
                deciders[env.python] = Decider(self.catalog.root, workers, self.settings, slots)
            yield deciders


def _warn_of_company(job: Job) -> None:
    """Warn of other programs on the GPU on which arms are about to be timed."""
    programs = gpu_programs() if job.env.gpu and not job.unmet else []
    if programs:
        _log.warning(
            "%s: its times may be off because %s uses the GPU, too", job.case.name, programs[0]
        )
