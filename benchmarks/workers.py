"""Workers that note what they did, and workers that do it the naive way."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from validators.catalog import Case, Catalog
from validators.environment import Environment, describe
from validators.errors import CasebookError
from validators.files import ROOT
from validators.runner.decide import Decider
from validators.runner.outcome import Outcome
from validators.runner.plan import Job, Settings, make_plan
from validators.runner.workers import Task, Workers

CATALOG = ROOT / "playbooks" / "catalog"


class NotedWorkers(Workers):
    """Keeps every task with its outcome, in the order in which they ended."""

    def __init__(self, env: Environment, isolation: str = "fork") -> None:
        super().__init__(env, isolation)
        self.done: list[tuple[Task, Outcome]] = []

    async def __aenter__(self) -> Self:
        """Begin as all workers do."""
        await super().__aenter__()
        return self

    async def run(self, task: Task) -> Outcome:
        """Run one task and note it."""
        outcome = await super().run(task)
        self.done.append((task, outcome))
        return outcome


class NaiveWorkers(NotedWorkers):
    """Gives every task a new interpreter and empty caches, as a shell loop over programs would."""

    def __init__(self, env: Environment) -> None:
        super().__init__(env, "fresh")

    async def run(self, task: Task) -> Outcome:
        """Run one task without anything that an earlier one has prepared."""
        with tempfile.TemporaryDirectory(prefix="naive-") as folder:
            return await super().run(naive(task, Path(folder)))


def naive(task: Task, folder: Path) -> Task:
    """`task` in a new interpreter, whose every cache is in the empty `folder`."""
    own = {"TMPDIR": str(folder), "CASEBOOK_WARM": str(folder)}
    return dataclasses.replace(task, fresh=True, variables={**own, **task.variables})


def environment() -> Environment:
    """This interpreter on the CPU."""
    return describe(sys.executable, "cpu")


def runnable(catalog: Catalog, env: Environment, areas: tuple[str, ...] = ()) -> list[Job]:
    """The jobs that really run in `env`, without the timed ones."""
    plan = make_plan(catalog, [env], {}, {}, Settings(areas=areas))
    return [job for job in plan.jobs if not job.unmet and not job.case.meta.exclusive]


async def decide(catalog: Catalog, workers: Workers, jobs: Iterable[Job], parallel: int) -> None:
    """Decide all jobs, as many tasks at a time as `parallel`.

    Raises:
        CasebookError: a case breaks, so its time would say nothing.
    """
    slots = asyncio.Semaphore(parallel)
    decider = Decider(catalog.root, workers, Settings(jobs=parallel), slots)
    decisions = await asyncio.gather(*(decider.decide(job) for job in jobs))
    for decision in decisions:
        if decision.record.verdict == "error":
            raise CasebookError(f"{decision.record.case}: broke ({decision.record.reason})")


def areas_of(cases: Iterable[Case]) -> list[str]:
    """The areas of some cases, in the catalog's order."""
    return list(dict.fromkeys(case.area for case in cases))
