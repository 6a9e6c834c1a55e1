"""What a node does: decide one case after another, with workers that stay between them."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from validators.catalog.casebook import UNNAMED
from validators.catalog.discovery import read_case
from validators.environment import Environment
from validators.environment.any_device import environment_on
from validators.evidence.stored.witnessed import Witnessed
from validators.runner.decide import Decider, Decision
from validators.runner.plan import Job, Settings, unmet
from validators.runner.processes.event_loop import EventLoop
from validators.runner.processes.supervisor import adopt_orphans, end_orphans
from validators.runner.processes.workers import Workers


@dataclass(frozen=True)
class Order:
    """One case to decide with the interpreter at `python`, and what its record has to hold.

    Every field can be pickled. `page` is the case's page below the folder `catalog`.
    """

    catalog: Path
    page: Path
    python: str
    device: str
    settings: Settings
    witnesses: tuple[str, ...]
    seen: Witnessed


def order_of(job: Job, catalog: Path, settings: Settings, sharers: int = 1) -> Order:
    """The order that has a node decide `job`, one arm at a time; `sharers` share its GPU."""
    return Order(
        catalog=catalog,
        page=Path(job.case.area, job.case.page.name),
        python=job.env.python,
        device=job.env.board or job.env.device,
        settings=replace(settings, jobs=sharers),
        witnesses=job.witnesses,
        seen=job.seen,
    )


def decide(order: Order) -> Decision:
    """Decide a case in this process.

    Raises:
        CasebookError: this machine lacks the interpreter, or it has no readable torch.
        FileNotFoundError: this machine's catalog has no such case.
    """
    return _node().decide(order)


@cache
def _node() -> _Node:
    return _Node()


@cache
def _environment(python: str, device: str) -> Environment:
    return environment_on(python, device)


class _Node:
    """Workers for each interpreter that was asked for, until this process ends."""

    def __init__(self) -> None:
        adopt_orphans()
        self._stack = contextlib.AsyncExitStack()
        self._loop = EventLoop().__enter__()
        self._workers: dict[tuple[str, str, str], Workers] = {}
        atexit.register(self.close)

    def close(self) -> None:
        self._loop.run(self._stack.aclose())
        self._loop.__exit__()
        end_orphans()

    def decide(self, order: Order) -> Decision:
        return self._loop.run(self._decide(order))

    async def _decide(self, order: Order) -> Decision:
        env, isolation = _environment(order.python, order.device), order.settings.isolation
        workers = self._workers.get(key := (order.python, order.device, isolation))
        if workers is None:
            workers = await self._stack.enter_async_context(Workers(env, isolation))
            self._workers[key] = workers
        root = order.catalog.resolve()
        # Not the whole catalog: each process of the node would read all its pages.
        case = read_case(root / order.page, UNNAMED)
        job = Job(case, env, unmet(case, env), order.witnesses, order.seen)
        decider = Decider(root, workers, order.settings, asyncio.Semaphore(1))
        return await decider.decide(job)
