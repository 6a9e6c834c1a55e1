"""Running a plan: jobs go to the workers of their interpreters, decisions come out as they fall."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.catalog import Catalog
from validators.evidence import append
from validators.runner.decide import Decider, Decision
from validators.runner.plan import Job, Plan, Settings
from validators.runner.workers import Workers
from validators.worker import process


@dataclass(frozen=True)
class Started:
    """A job begins to run."""

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
    """Run all jobs of `plan`; every record is appended to `folder` as it arrives.

    With a budget, no job starts after it is spent. KeyboardInterrupt stops all workers and
    passes on; what was decided by then is recorded.
    """
    process.adopt_orphans()
    decided: list[Decided] = []

    def keep(event: Started | Decided) -> None:
        if isinstance(event, Decided):
            append(folder, event.decision.record)
            decided.append(event)
        listener(event)

    asyncio.run(_Run(catalog, settings, keep).all(plan))
    return decided


class _Run:
    def __init__(self, catalog: Catalog, settings: Settings, listener: Listener) -> None:
        self.catalog, self.settings, self.listener = catalog, settings, listener
        self.deadline = time.monotonic() + settings.budget if settings.budget else float("inf")

    async def all(self, plan: Plan) -> None:
        together = [job for job in plan.jobs if not job.case.meta.exclusive]
        alone = [job for job in plan.jobs if job.case.meta.exclusive]
        async with self._deciders(plan.jobs) as deciders:
            with machine_lock(fcntl.LOCK_SH):
                await self._each(together, deciders, self.settings.jobs)
            for job in alone:
                with machine_lock(fcntl.LOCK_EX):
                    await self._each([job], deciders, 1)
        for orphan in process.children():
            process.kill(orphan)

    @contextlib.asynccontextmanager
    async def _deciders(self, jobs: Iterable[Job]) -> AsyncIterator[dict[str, Decider]]:
        slots = asyncio.Semaphore(self.settings.jobs)
        async with contextlib.AsyncExitStack() as stack:
            deciders = {}
            for env in {job.env.python: job.env for job in jobs}.values():
                workers = await stack.enter_async_context(Workers(env, self.settings.isolation))
                deciders[env.python] = Decider(self.catalog, workers, self.settings, slots)
            yield deciders

    async def _each(self, jobs: list[Job], deciders: dict[str, Decider], width: int) -> None:
        """Run `jobs` in order, `width` at a time."""
        queue = iter(jobs)

        async def work() -> None:
            for job in queue:
                if time.monotonic() >= self.deadline:
                    return
                self.listener(Started(job))
                self.listener(Decided(job, await deciders[job.env.python].decide(job)))

        async with asyncio.TaskGroup() as group:
            for _ in range(width):
                group.create_task(work())


@contextlib.contextmanager
def machine_lock(kind: int) -> Iterator[None]:
    """Hold this machine's lock: shared for ordinary arms, exclusive for timed ones."""
    path = Path(tempfile.gettempdir()) / f"torch-compile-casebook-{os.getuid()}.lock"
    with path.open("a") as file:
        fcntl.flock(file, kind)
        yield
