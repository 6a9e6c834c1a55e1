"""Workers of one interpreter: forked from a zygote, or fresh interpreters."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import shutil
import time
from dataclasses import dataclass, field, replace
from typing import Any

from validators.environment import Environment
from validators.errors import naming
from validators.runner.processes.folder import run_folder
from validators.runner.processes.outcome import LATE, Outcome, describe_exit
from validators.runner.processes.pipes import OUTPUT_KEPT, RESULT_LIMIT, Drain
from validators.runner.processes.supervisor import Ended, Lost, Supervisor

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Task:
    """One thing to run: the worker's request, its time limit in seconds, its own variables."""

    request: dict[str, Any]
    timeout: float
    fresh: bool = False
    variables: dict[str, str] = field(default_factory=dict)


class Workers:
    """Runs tasks in one interpreter. Use as an asynchronous context manager."""

    def __init__(
        self,
        env: Environment,
        isolation: str,
        variables: dict[str, str] | None = None,
        output_kept: int = OUTPUT_KEPT,
    ) -> None:
        """`variables` are set for all tasks, before torch is imported, beside those of `env`."""
        self.env = env
        self.isolation = isolation
        self.variables, self.output_kept = {**env.variables, **(variables or {})}, output_kept
        self._stack = contextlib.AsyncExitStack()
        self._supervisor: Supervisor | None = None
        self._starting = asyncio.Lock()
        self._numbers = itertools.count()

    async def __aenter__(self) -> Workers:
        """Make the folder; nothing starts before the first task needs it."""
        self.directory = self._stack.enter_context(run_folder())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop the supervisor and remove what the tasks wrote."""
        async with self._stack:
            if self._supervisor:
                await self._supervisor.close()

    async def start(self) -> None:
        """Start what the first task would start otherwise, which may take half a minute."""
        await self._ready_supervisor()

    async def run(self, task: Task) -> Outcome:
        """Run one task until it ends, times out or crashes; none of these raises."""
        try:
            return await self._attempt(task, task.fresh)
        except Lost:
            with contextlib.suppress(Lost):
                return await self._attempt(task, fresh=True)
        log = self._supervisor.log if self._supervisor else ""
        return Outcome(
            failure="was lost twice because its supervisor ended; run it again", output=log
        )

    async def _attempt(self, task: Task, fresh: bool) -> Outcome:
        supervisor = await self._ready_supervisor()
        if supervisor.broken:
            return Outcome(failure=supervisor.broken, output=supervisor.log)
        directory = self.directory / str(next(self._numbers))
        directory.mkdir()
        request = {**task.request, "variables": task.variables}
        file = directory / "request.json"
        with naming(file):
            file.write_text(json.dumps(request))
        output, result = (
            Drain(self.output_kept, keep_last=True),
            Drain(RESULT_LIMIT, keep_last=False),
        )
        begun = time.monotonic()
        try:
            fresh = fresh or not supervisor.forks
            ended = await supervisor.run(directory, fresh, task.timeout, [output, result])
        finally:
            printed, answer = output.finish(), result.finish()
            shutil.rmtree(directory, ignore_errors=True)
        seconds = time.monotonic() - begun
        outcome = _outcome(task, ended, printed.decode(errors="replace"), answer, seconds)
        return replace(outcome, cpu_seconds=ended.get("cpu_seconds", 0.0))

    async def _ready_supervisor(self) -> Supervisor:
        """The supervisor, started if need be: as a zygote unless arms are to run fresh."""
        async with self._starting:
            known = self._supervisor
            if known is None or not (known.alive or known.broken):
                if known:
                    await known.close()
                self._supervisor = known = await self._started()
            return known

    async def _started(self) -> Supervisor:
        supervisor = Supervisor(self.env, self.directory, self.variables)
        await supervisor.start(zygote=self.isolation == "fork")
        if self.isolation == "fresh" or supervisor.forks or supervisor.broken:
            return supervisor
        self.isolation = "fresh"
        spoilt = f"more than one thread, or CUDA initialized, after {supervisor.spoiler}"
        why = supervisor.death or spoilt
        slow = "cannot fork arms safely (%s); each gets a new interpreter, which is slower"
        _log.warning(f"%s: {slow}", self.env.python, why)
        return supervisor if supervisor.alive else await self._started()


def _outcome(task: Task, ended: Ended, printed: str, answer: bytes, seconds: float) -> Outcome:
    """The outcome of a task, from how it ended and what it sent back."""
    if "unstarted" in ended:
        failure = f"cannot be started ({ended['unstarted']}); free some memory and run it again"
        return Outcome({}, failure, printed, seconds)
    if ended["late"]:
        return Outcome({}, f"{LATE} {task.timeout:g} s", printed, seconds)
    if ended["over"]:
        limit = task.request["memory"]
        failure = f"used more than {limit} MiB of memory; free some, or raise `memory` in the page"
        return Outcome({}, failure, printed, seconds)
    if len(answer) == RESULT_LIMIT:
        failure = f"sent more than {RESULT_LIMIT // 1024**2} MiB; report less"
        return Outcome({}, failure, printed, seconds)
    try:
        result = json.loads(answer)
    except ValueError:
        return Outcome({}, describe_exit(ended["status"]), printed, seconds)
    if "error" in result:
        trace = printed + ("\n" if printed else "") + result.get("traceback", "")
        return Outcome({}, result["error"], trace, seconds)
    return Outcome(result, "", printed, seconds)
