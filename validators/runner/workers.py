"""Workers of one interpreter: forked from a zygote, or fresh interpreters."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validators.environment import Environment
from validators.runner.launch import WORKER, worker_environment
from validators.runner.outcome import Outcome, describe_exit
from validators.runner.pipes import OUTPUT_KEPT, RESULT_LIMIT, Drain
from validators.worker import process

_log = logging.getLogger(__name__)

# A first start precompiles headers, which takes half a minute on a slow machine.
_START_SECONDS = 600.0
# How long a stopped arm may take to be gone before its parent is killed, too.
_STOP_SECONDS = 10.0
_PREFIX = "casebook-"


@dataclass(frozen=True)
class Task:
    """One thing to run: the worker's request, its time limit in seconds, its own variables."""

    request: dict[str, Any]
    timeout: float
    fresh: bool = False
    variables: dict[str, str] = field(default_factory=dict)


class Workers:
    """Runs tasks in one interpreter. Use as an asynchronous context manager."""

    def __init__(self, env: Environment, isolation: str) -> None:
        self.env = env
        self.isolation = isolation
        _sweep()
        self.directory = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        self._zygote: _Zygote | None = None
        self._starting = asyncio.Lock()
        self._numbers = itertools.count()

    async def __aenter__(self) -> Workers:
        """Nothing starts before the first task needs it."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop the zygote and remove what the tasks wrote."""
        if self._zygote:
            await self._zygote.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    async def run(self, task: Task) -> Outcome:
        """Run one task to its end, its time limit, or its crash; raises nothing for any of them."""
        outcome = await self._attempt(task)
        if outcome.lost:
            outcome = await self._attempt(task, fresh=True)
        return outcome

    async def _attempt(self, task: Task, fresh: bool = False) -> Outcome:
        directory = self.directory / str(next(self._numbers))
        directory.mkdir()
        (directory / "request.json").write_text(json.dumps({**task.request, "parent": os.getpid()}))
        zygote = None if fresh or task.fresh else await self._ready_zygote()
        run = zygote.run if zygote else self._run_fresh
        output, result = Drain(OUTPUT_KEPT, keep_last=True), Drain(RESULT_LIMIT, keep_last=False)
        begun = time.monotonic()
        try:
            failure, lost = await run(task, directory, output, result)
        finally:
            printed, answer = output.finish(), result.finish()
            shutil.rmtree(directory, ignore_errors=True)
        seconds = time.monotonic() - begun
        return _outcome(failure, lost, printed.decode(errors="replace"), answer, seconds)

    async def _ready_zygote(self) -> _Zygote | None:
        """The zygote, started if need be; None where arms run fresh."""
        async with self._starting:
            if self.isolation == "fresh":
                return None
            if self._zygote is None or not self._zygote.alive:
                if self._zygote:
                    await self._zygote.close()
                self._zygote = _Zygote(self.env, self.directory)
                if not await self._zygote.start():
                    self.isolation = "fresh"
                    self._zygote = None
                    _log.warning(
                        "%s: cannot fork arms safely; each gets a new interpreter, which is slower",
                        self.env.python,
                    )
            return self._zygote

    async def _run_fresh(
        self, task: Task, directory: Path, output: Drain, result: Drain
    ) -> tuple[str, bool]:
        child = await asyncio.create_subprocess_exec(
            self.env.python,
            str(WORKER),
            "arm",
            str(result.write_end),
            str(directory),
            env=worker_environment(self.env, task.variables),
            stdin=subprocess.DEVNULL,
            stdout=output.write_end,
            stderr=output.write_end,
            pass_fds=[result.write_end],
            start_new_session=True,
            cwd=directory,
        )
        output.close_write_end()
        result.close_write_end()

        async def stop() -> None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGUSR1)
            await asyncio.sleep(process.DUMP_SECONDS)
            process.kill_group(child.pid)

        def give_up() -> None:
            process.kill(child.pid)

        try:
            failure = await _within(task.timeout, child.wait, stop, give_up)
        finally:
            process.kill_group(child.pid)
            process.remove_shared_memory(child.pid)
        code = await child.wait()
        return failure or describe_exit(-code if code < 0 else code << 8), False


class _Zygote:
    """The runner's side of one zygote."""

    def __init__(self, env: Environment, directory: Path) -> None:
        self.env, self.directory = env, directory
        self.alive = False
        self._writer: asyncio.StreamWriter | None = None
        self._ended: dict[int, asyncio.Future[int]] = {}
        self._numbers = itertools.count()

    async def start(self) -> bool:
        """Start it; False where it cannot fork safely or did not come up."""
        ours, theirs = socket.socketpair()
        self._log = (self.directory / "zygote.log").open("wb")
        self._process = await asyncio.create_subprocess_exec(
            self.env.python,
            str(WORKER),
            "zygote",
            str(theirs.fileno()),
            str(self.directory),
            # OpenBLAS starts threads when numpy is imported, and a zygote must have only one.
            env=worker_environment(self.env, {"OPENBLAS_NUM_THREADS": "1"}),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            cwd=self.directory,
        )
        theirs.close()
        ours.setblocking(False)
        self._control = ours
        # Descriptors need the socket itself; the stream only reads a duplicate.
        self._reader, self._writer = await asyncio.open_connection(sock=ours.dup())
        try:
            async with asyncio.timeout(_START_SECONDS):
                self.alive = json.loads(await self._reader.readline() or b"{}").get("ready", False)
        except (TimeoutError, json.JSONDecodeError):
            self.alive = False
        if self.alive:
            self._listener = asyncio.create_task(self._listen())
        else:
            # Hanging up would have it remove the folder that fresh arms are about to use.
            process.kill_group(self._process.pid)
            await self.close()
        return self.alive

    async def run(
        self, task: Task, directory: Path, output: Drain, result: Drain
    ) -> tuple[str, bool]:
        """Have one task run; returns how it failed to give a result, and whether it was lost."""
        number = next(self._numbers)
        ended = self._ended[number] = asyncio.get_running_loop().create_future()
        if not self.alive or not self._send(
            {"run": number, "directory": str(directory)}, [output.write_end, result.write_end]
        ):
            return "was lost with its zygote", True
        output.close_write_end()
        result.close_write_end()

        async def stop() -> None:
            self._send({"stop": number})

        async def end() -> int:
            return await asyncio.shield(ended)

        def give_up() -> None:
            process.kill_group(self._process.pid)

        failure = await _within(task.timeout, end, stop, give_up)
        status = await ended
        if status < 0:
            return "was lost with its zygote", True
        return failure or describe_exit(status), False

    def _send(self, message: dict[str, Any], descriptors: list[int] | None = None) -> bool:
        try:
            data = json.dumps(message).encode() + b"\n"
            socket.send_fds(self._control, [data], descriptors or [])
        except OSError:
            return False
        return True

    async def _listen(self) -> None:
        try:
            while line := await self._reader.readline():
                message = json.loads(line)
                self._ended.pop(message["ended"]).set_result(message["status"])
        finally:
            self.alive = False
            for future in self._ended.values():
                if not future.done():
                    future.set_result(-1)

    async def close(self) -> None:
        """Hang up, upon which it kills its children and leaves."""
        self.alive = False
        if self._writer is None:
            return
        self._writer.close()
        self._control.close()
        try:
            async with asyncio.timeout(5):
                await self._process.wait()
        except TimeoutError:
            process.kill_group(self._process.pid)
            await self._process.wait()
        self._log.close()


def _sweep() -> None:
    """Remove the folders of runners that were killed before they could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists() and Path("/proc/self").exists():
            shutil.rmtree(folder, ignore_errors=True)


async def _within(
    seconds: float,
    ended: Callable[[], Awaitable[Any]],
    stop: Callable[[], Awaitable[None]],
    give_up: Callable[[], None],
) -> str:
    """Wait for `ended`; after `seconds` call `stop`, and if that does not help `give_up`.

    Returns how the time ran out, "" where it did not.
    """
    try:
        async with asyncio.timeout(seconds):
            await ended()
        return ""
    except TimeoutError:
        await stop()
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await ended()
    except TimeoutError:
        give_up()
        await ended()
    return f"took longer than {seconds:g} s"


def _outcome(failure: str, lost: bool, printed: str, answer: bytes, seconds: float) -> Outcome:
    try:
        result = json.loads(answer)
    except ValueError:
        return Outcome({}, failure or "gave no result", printed, seconds, lost)
    if failure.startswith("took longer"):
        return Outcome({}, failure, printed, seconds)
    if "error" in result:
        trace = printed + ("\n" if printed else "") + result.get("traceback", "")
        return Outcome({}, result["error"], trace, seconds)
    return Outcome(result, "", printed, seconds)
