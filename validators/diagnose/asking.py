"""Ask workers about targets, each question in a process of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from validators.diagnose.masking import masked
from validators.diagnose.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.runner.outcome import Outcome
from validators.runner.supervisor import adopt_orphans, end_orphans
from validators.runner.workers import Task, Workers

Answer = TypeVar("Answer")


class Asking:
    """Questions to the workers of one interpreter, which share a cache of compiled code."""

    def __init__(self, workers: Workers, options: dict[str, Any], timeout: float) -> None:
        self.workers, self.options, self.timeout = workers, options, timeout
        self.cache = workers.directory / "cache"
        self.cache.mkdir()

    async def ask(self, spec: Spec, part: str, recording: str = "") -> Outcome:
        """What one part of a diagnosis finds out about `spec`.

        `recording` is the file of the calls to record or to replay, if any.

        Raises:
            CasebookError: the target cannot be used.
        """
        request = {
            "task": "diagnose",
            "part": part,
            "target": str(spec),
            "folder": str(spec.folder),
            "paths": list(spec.paths),
            "compile": self.options,
            "cache": str(self.cache),
            "recording": recording,
            "device": self.workers.env.device,
            "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
        }
        done = await self.workers.run(Task(request, self.timeout))
        if sentence := done.result.get("unusable"):
            raise CasebookError(masked(sentence, spec.folder))
        return done


def ask_all(
    env: Environment,
    options: dict[str, Any],
    timeout: float,
    questions: Callable[[Asking], Awaitable[Answer]],
) -> Answer:
    """What `questions` returns; no process is left when it ends."""

    async def run() -> Answer:
        async with Workers(env, "fork") as workers:
            return await questions(Asking(workers, options, timeout))

    adopt_orphans()
    try:
        return asyncio.run(run())
    finally:
        end_orphans()
