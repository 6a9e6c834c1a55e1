"""Workers that tests share: to start some takes ten seconds, to ask them one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

import validators.runner.programs
import validators.runner.rejudge
import validators.runner.run
from validators.diagnose.target.asking import Asking, Session
from validators.environment import Environment
from validators.runner.processes.outcome import Outcome
from validators.runner.processes.workers import Task, Workers


class Lodger(Workers):
    """Workers with a folder of their own, whose tasks the shared ones run."""

    def __init__(self, env: Environment, shared: SharedWorkers) -> None:
        super().__init__(env, "fork")
        self._shared = shared

    async def run(self, task: Task) -> Outcome:
        """Run one task."""
        return await (await self._shared.of(self.env)).run(task)


class SharedWorkers:
    """Takes the place of the workers that commands start; a context manager.

    Each command still has its own folder, and each session in it an empty cache of compiled code.
    What is left out is to adopt orphans, which no test process should. Workers keep the environment
    variables of their start, so a test that is about those starts a process of its own.
    """

    def __init__(self) -> None:
        self._started: dict[str, Workers] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> SharedWorkers:
        """Begin; nothing starts before the first task."""
        self._runner = self._stack.enter_context(asyncio.Runner())
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the workers."""
        self._stack.close()

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Let commands that the block calls in this process ask these workers."""
        with contextlib.ExitStack() as stack:
            enter = mock.patch.object(Session, "__enter__", lambda it: self._enter(it))
            stack.enter_context(enter)
            # One supervisor serves one event loop.
            stack.enter_context(mock.patch.object(asyncio, "run", self._runner.run))
            runner = validators.runner
            for module in (runner.run, runner.programs, runner.rejudge):
                stack.enter_context(mock.patch.object(module, "Workers", self.workers))
                for name in ("adopt_orphans", "end_orphans"):
                    stack.enter_context(mock.patch.object(module, name))
            yield

    async def of(self, env: Environment) -> Workers:
        """The workers of an interpreter, which stay."""
        key = f"{env.python} {env.device}"
        if key not in self._started:
            self._started[key] = workers = Workers(env, "fork")
            self._stack.callback(lambda: self._runner.run(workers.__aexit__()))
            await workers.__aenter__()
        return self._started[key]

    def workers(self, env: Environment, isolation: str) -> Workers:
        """What takes the place of `Workers(env, isolation)`."""
        return Lodger(env, self) if isolation == "fork" else Workers(env, isolation)

    def _enter(self, session: Session) -> Session:
        """Begin a session: what `Session.__enter__` does but for the start of workers."""
        own: Any = session
        own._stack, own._runner = contextlib.ExitStack(), self._runner
        lodger = Lodger(own._workers.env, self)
        own._stack.callback(lambda: self._runner.run(lodger.__aexit__()))
        own._asking = Asking(self._runner.run(lodger.__aenter__()), *own._given)
        return session
