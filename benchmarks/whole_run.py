"""The whole catalog on the CPU against the naive way, area by area, both ways in turn."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.proofs import write_proofs
from benchmarks.size import Size
from benchmarks.workers import (
    CATALOG,
    NaiveWorkers,
    NotedWorkers,
    areas_of,
    decide,
    environment,
    runnable,
)
from validators.catalog import load_catalog

TITLE = "The whole CPU run against the naive way"
PARALLEL = 2


def run(size: Size) -> Iterator[Measure]:
    """Decide each area with forked arms and warm caches, and with nothing kept between tasks."""
    return iter(asyncio.run(_areas(size)))


async def _areas(size: Size) -> list[Measure]:
    catalog, env = load_catalog(CATALOG), environment()
    jobs = runnable(catalog, env, size.areas)
    areas = areas_of(job.case for job in jobs)
    ours: dict[str, list[float]] = {area: [] for area in areas}
    naive: dict[str, list[float]] = {area: [] for area in areas}
    async with NotedWorkers(env) as workers, NaiveWorkers(env) as strangers:
        started = await _start(workers)
        for _ in range(min(size.rounds, 3)):
            for area in areas:
                mine = [job for job in jobs if job.case.area == area]
                for times, who in ((ours, workers), (naive, strangers)):
                    begun = time.monotonic()
                    await decide(catalog, who, mine, PARALLEL)
                    times[area].append(time.monotonic() - begun)
    whole = [started + sum(turn) for turn in zip(*ours.values(), strict=True)]
    naively = [sum(turn) for turn in zip(*naive.values(), strict=True)]
    return [
        *(_ratio(area, ours[area], naive[area]) for area in areas),
        _ratio("all areas and the start", whole, naively, target=3),
    ]


async def _start(workers: NotedWorkers) -> float:
    """The seconds until the first arm can be forked."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        nothing = {"SYMPTOM": "0", "REMEDY": "0"}
        catalog = load_catalog(write_proofs(Path(folder), "sleeping", [nothing]))
        await decide(catalog, workers, runnable(catalog, workers.env), PARALLEL)
    return time.monotonic() - begun


def _ratio(
    what: str, ours: list[float], naive: list[float], target: float | None = None
) -> Measure:
    seconds = f"{statistics.median(naive):.1f} s against {statistics.median(ours):.1f} s"
    return Measure(
        what=f"{what}: how many times faster",
        unit="times",
        samples=[theirs / mine for mine, theirs in zip(ours, naive, strict=True)],
        target=target,
        at_least=True,
        note=f"{seconds} at -j {PARALLEL}",
    )
