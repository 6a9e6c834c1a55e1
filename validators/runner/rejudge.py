"""Judge recorded reports again, where what judges them has changed and what ran has not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from validators.catalog import Case
from validators.environment import Environment
from validators.environment.fingerprint import COMPILED
from validators.errors import Problem
from validators.evidence import Freshness, Record
from validators.runner.decide import Decider
from validators.runner.plan import Settings
from validators.runner.processes.outcome import Broken
from validators.runner.processes.supervisor import adopt_orphans, end_orphans
from validators.runner.processes.workers import Workers

Pair = tuple[Case, Record]


def to_judge(
    cases: Iterable[Case], records: Iterable[Record], root: Path, *, force: bool = False
) -> list[Pair]:
    """The records of `cases`, whose catalog is `root`, that only another judge made stale.

    With `force`, also current ones. What was compiled for a GPU and is undecided is left out: its
    reports are not kept.
    """
    freshness, named = Freshness(root), {case.name: case for case in cases}
    return [
        (named[it.case], it)
        for it in records
        if it.case in named
        and not (it.fingerprint.device == COMPILED and it.verdict == "undecided")
        and freshness.ran_alike(named[it.case], it)
        and (force or not freshness.is_current(named[it.case], it))
    ]


def judge_again(
    pairs: Iterable[Pair], env: Environment, settings: Settings, root: Path
) -> tuple[list[Record], list[Problem]]:
    """Judge the reports of records in the interpreter of `env`.

    Returns the records with their new verdicts, and the proofs whose judges broke. Reports stay as
    they are; a record without reports keeps its verdict.
    """
    adopt_orphans()
    try:
        return asyncio.run(_judge_again(pairs, env, settings, root))
    finally:
        end_orphans()


async def _judge_again(
    pairs: Iterable[Pair], env: Environment, settings: Settings, root: Path
) -> tuple[list[Record], list[Problem]]:
    judged: list[Record] = []
    broken: list[Problem] = []
    queue = iter(pairs)
    async with Workers(env, settings.isolation) as workers, asyncio.TaskGroup() as group:
        decider = Decider(root, workers, settings, asyncio.Semaphore(settings.jobs))

        async def work() -> None:
            for case, record in queue:
                try:
                    judged.append(await decider.judge_again(case, record))
                except Broken as failure:
                    message = f"{record.column}: {failure.reason}; correct it and judge again"
                    broken.append(Problem(case.proof, 0, message))

        for _ in range(settings.jobs):
            group.create_task(work())
    return judged, broken
