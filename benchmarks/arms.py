"""What an arm costs beyond its own work, forked and in a fresh interpreter; and with a kernel."""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure, ratio
from benchmarks.proofs import write_proofs
from benchmarks.size import Size
from benchmarks.workers import CATALOG, NaiveWorkers, NotedWorkers, decide, environment, runnable
from validators.catalog import load_catalog
from validators.errors import CasebookError
from validators.runner.outcome import Outcome
from validators.runner.workers import Task, Workers

TITLE = "Arms, one at a time"
_LONG_SECONDS = 3.0
"""Arms that work longer are left out: this does not measure their own work."""


def run(size: Size) -> Iterator[Measure]:
    """Measure arms of the catalog, forked and fresh in turn, then one that compiles a kernel."""
    yield from asyncio.run(_overheads(size))
    yield from asyncio.run(_kernels(size))


async def _overheads(size: Size) -> list[Measure]:
    starts, forked, fresh = [], [], []
    async with NotedWorkers(environment()) as workers:
        tasks = await _arms_without_kernels(workers, size)
        for task in itertools.islice(itertools.cycle(tasks), size.arms):
            forked.append(overhead(await workers.run(task)))
            fresh.append(overhead(await workers.run(dataclasses.replace(task, fresh=True))))
    for _ in range(3):
        async with Workers(environment(), "fork") as workers:
            begun = time.monotonic()
            outcome = await workers.run(tasks[0])
            starts.append(time.monotonic() - begun - outcome.seconds)
    note = f"{len(forked)} runs of {len(tasks)} arms that use no Inductor"
    return [
        Measure(what="overhead of an arm, forked", unit="s", samples=forked, note=note),
        Measure(what="overhead of an arm, fresh interpreter", unit="s", samples=fresh, note=note),
        Measure(
            what="how many times less a forked arm costs",
            unit="times",
            samples=[ratio(fresh, forked)],
            target=12,
            at_least=True,
            note="ratio of the medians",
        ),
        Measure(what="start of a zygote", unit="s", samples=starts, note="once an interpreter"),
    ]


def overhead(outcome: Outcome) -> float:
    """The seconds of a task that were not its proof's own.

    Raises:
        CasebookError: the task broke.
    """
    if outcome.failure:
        raise CasebookError(
            f"an arm: broke ({outcome.failure}); read its output: {outcome.output[-300:]}"
        )
    return float(outcome.seconds - outcome.result["own_seconds"])


async def _arms_without_kernels(workers: NotedWorkers, size: Size) -> list[Task]:
    """The arms of the catalog that need no C++, found by deciding all cases once."""
    catalog = load_catalog(CATALOG)
    jobs = runnable(catalog, workers.env, size.areas)
    jobs = [job for job in jobs if "inductor" not in job.case.proof.read_text(encoding="utf-8")]
    await decide(catalog, workers, jobs, parallel=2)
    return [
        task
        for task, outcome in workers.done
        if "own_seconds" in outcome.result
        and not task.fresh
        and outcome.result["report"]["cache"] is None
        and outcome.result["own_seconds"] < _LONG_SECONDS
    ]


async def _kernels(size: Size) -> list[Measure]:
    """An arm with one C++ kernel: forked with warm headers, and fresh with empty caches."""
    warm, cold = [], []
    with tempfile.TemporaryDirectory() as folder:
        catalog = load_catalog(write_proofs(Path(folder), "kernel", [{}]))
        env = environment()
        async with NotedWorkers(env) as forked, NaiveWorkers(env) as naive:
            await decide(catalog, forked, runnable(catalog, env), parallel=1)
            task = next(t for t, o in forked.done if o.result.get("report", {}).get("cache"))
            for turn in range(max(size.rounds, 2)):
                warm.append((await forked.run(task)).seconds)
                if turn < 3:
                    cold.append((await naive.run(task)).seconds)
    note = "one Inductor C++ kernel"
    return [
        Measure(
            what="arm with a kernel, warm machine", unit="s", samples=warm, target=1.8, note=note
        ),
        Measure(
            what="arm with a kernel, fresh interpreter, cold caches",
            unit="s",
            samples=cold,
            note=note,
        ),
    ]
