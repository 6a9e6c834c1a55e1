"""Run the programs of pages, some at a time, in the workers of one interpreter."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from validators.catalog import Case
from validators.catalog.example import Side
from validators.environment import Environment
from validators.runner.processes.outcome import Outcome
from validators.runner.processes.supervisor import adopt_orphans, end_orphans
from validators.runner.processes.workers import Task, Workers

Event = TypeVar("Event")


@dataclass(frozen=True)
class ExampleJob:
    """The example of one case, to be run in one environment."""

    case: Case
    env: Environment


class Programs:
    """Runs the programs of one example, each in a process of its own.

    `results` names files by which these processes compare what they compute. `cpu_seconds` is what
    they have taken.
    """

    def __init__(self, job: ExampleJob, workers: Workers, number: int) -> None:
        self.job, self.workers = job, workers
        self.results = workers.directory / f"computed-{number}"
        self.cpu_seconds = 0.0

    async def run(self, side: Side, *, timeout: float = 0, **request: Any) -> Outcome:
        """Run one side in a worker; `request` says how, and `timeout` replaces the page's own."""
        case, meta = self.job.case, self.job.case.meta
        assert case.example is not None
        arm = "symptom" if side == "before" else "remedy"
        code = case.example.of(side).code
        common = {
            "code": code,
            "logs": meta.torch_logs,
            "device": self.job.env.device,
            "memory": meta.memory,
        }
        variables = {"TORCH_LOGS": meta.torch_logs, **meta.env.get(arm, {})}  # type: ignore[call-overload]
        # A forked worker has already imported torch: too late for variables that a program sets.
        fresh = meta.always_fresh or "os.environ" in code
        task = Task({**common, **request}, timeout or meta.timeout, fresh, variables)
        done = await self.workers.run(task)
        self.cpu_seconds += done.cpu_seconds
        return done

    def remove_results(self) -> None:
        """Remove what the processes have saved."""
        place: Path = self.results
        for file in (place, *place.parent.glob(f"{place.name}-*")):
            file.unlink(missing_ok=True)


def run_programs(
    jobs: Sequence[ExampleJob],
    decide: Callable[[Programs], Awaitable[Event]],
    width: int,
    isolation: str,
    budget: float | None,
    listener: Callable[[Event], None],
) -> None:
    """Have `decide` run `jobs` of one environment, `width` at a time.

    `listener` hears of each. No job starts once `budget` seconds have passed.
    """
    adopt_orphans()
    end = math.inf if budget is None else time.monotonic() + budget
    queue, numbers = iter(jobs), itertools.count()

    async def run() -> None:
        async with Workers(jobs[0].env, isolation) as workers, asyncio.TaskGroup() as group:

            async def work() -> None:
                for job in itertools.takewhile(lambda _: time.monotonic() < end, queue):
                    programs = Programs(job, workers, next(numbers))
                    listener(await decide(programs))
                    programs.remove_results()

            for _ in range(width):
                group.create_task(work())

    try:
        asyncio.run(run())
    finally:
        end_orphans()
