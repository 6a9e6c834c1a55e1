"""Workers that tests share: to start some takes ten seconds, to ask them one."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from validators.diagnose.asking import Asking, Session
from validators.runner.outcome import Outcome
from validators.runner.workers import Task, Workers


class Lodger(Workers):
    """Workers with a folder of their own, whose tasks others run."""

    def __init__(self, others: Workers) -> None:
        super().__init__(others.env, others.isolation)
        self._others = others

    async def run(self, task: Task) -> Outcome:
        """Run one task as `others` do."""
        return await self._others.run(task)


class SharedWorkers:
    """Takes the place of the workers that each `Session` starts; a context manager.

    A session still has its own folder, and with it an empty cache of compiled code. What it leaves
    out is to adopt orphans, which no test process should. Workers keep the environment variables
    of their start, so a test that is about those starts a process of its own.
    """

    def __init__(self) -> None:
        self._started: dict[str, Workers] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> SharedWorkers:
        """Begin; nothing starts before the first question."""
        self._runner = self._stack.enter_context(asyncio.Runner())
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the workers."""
        self._stack.close()

    def _of(self, known: Workers) -> Workers:
        """The workers of an interpreter, which stay."""
        key = f"{known.env.python} {known.env.device}"
        if key not in self._started:
            self._started[key] = self._entered(self._stack, Workers(known.env, "fork"))
        return self._started[key]

    def _entered(self, stack: contextlib.ExitStack, workers: Workers) -> Workers:
        stack.callback(lambda: self._runner.run(workers.__aexit__()))
        return self._runner.run(workers.__aenter__())

    def lend(self, session: Session) -> Session:
        """Begin a session; replaces `Session.__enter__`."""
        own: Any = session
        own._stack = contextlib.ExitStack()
        lodger = self._entered(own._stack, Lodger(self._of(own._workers)))
        own._runner, own._asking = self._runner, Asking(lodger, *own._given)
        return session
