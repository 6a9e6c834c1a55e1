"""The whole catalog on the CPU against the naive way, area by area, both ways in turn."""

from __future__ import annotations

import asyncio
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
    ours: dict[str, float] = {}
    naive: dict[str, float] = {}
    async with NotedWorkers(env) as workers, NaiveWorkers(env) as strangers:
        started = await _start(workers)
        for area in areas_of(job.case for job in jobs):
            mine = [job for job in jobs if job.case.area == area]
            for times, who in ((ours, workers), (naive, strangers)):
                begun = time.monotonic()
                await decide(catalog, who, mine, PARALLEL)
                times[area] = time.monotonic() - begun
    return [
        *(_ratio(f"{area}", ours[area], naive[area]) for area in ours),
        _ratio(
            "all areas and the start", started + sum(ours.values()), sum(naive.values()), target=3
        ),
    ]


async def _start(workers: NotedWorkers) -> float:
    """The seconds until the first arm can be forked."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        nothing = {"SYMPTOM": "0", "REMEDY": "0"}
        catalog = load_catalog(write_proofs(Path(folder), "sleeping", [nothing]))
        await decide(catalog, workers, runnable(catalog, workers.env), PARALLEL)
    return time.monotonic() - begun


def _ratio(what: str, ours: float, naive: float, target: float | None = None) -> Measure:
    return Measure(
        what=f"{what}: how many times faster",
        unit="times",
        samples=[naive / ours],
        target=target,
        at_least=True,
        note=f"{naive:.1f} s against {ours:.1f} s at -j {PARALLEL}",
    )
