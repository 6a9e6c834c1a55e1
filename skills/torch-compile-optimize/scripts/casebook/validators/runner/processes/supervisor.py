"""The runner's side of a supervisor, the process that starts an interpreter's arms."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from validators.environment import Environment
from validators.runner.processes.launch import WORKER, worker_environment
from validators.runner.processes.outcome import describe_exit
from validators.runner.processes.pipes import OUTPUT_KEPT, Drain
from validators.worker import process

# A first start precompiles headers, which takes half a minute on a slow machine.
_START_SECONDS = 600.0
# How long a stopped arm may take to end before its parent is killed, too.
_STOP_SECONDS = 10.0

_spared: set[int] = set()
"""Children of this process that no arm left: supervisors, and children from before them."""

Ended = dict[str, Any]


def adopt_orphans() -> None:
    """Make this process the parent of processes that killed supervisors leave behind."""
    process.adopt_orphans()
    _spared.update(process.children())


def end_orphans() -> None:
    """End the processes that this one has inherited.

    Supervisors lead sessions of their own, so children in our session do not come from them.
    """
    process.end_children(keep=_spared | process.children_in_session())


class Lost(Exception):
    """The supervisor ended before its arm did."""


class Supervisor:
    """One supervisor process; `forks` says whether it is a zygote.

    `broken` says why no arm can run in this interpreter, `death` how a failed start ended, and
    `spoiler` after which step of its start it could no longer fork.
    """

    def __init__(self, env: Environment, directory: Path, variables: dict[str, str]) -> None:
        self.env, self.directory, self.variables = env, directory, variables
        self.alive = self.forks = False
        self.broken = self.death = self.spoiler = ""
        self._writer: asyncio.StreamWriter | None = None
        self._ended: dict[int, asyncio.Future[Ended]] = {}
        self._numbers = itertools.count()

    async def start(self, zygote: bool) -> None:
        """Start it and wait until it can serve, or has ended."""
        ours, theirs = socket.socketpair()
        with (self.directory / "supervisor.log").open("ab") as log:
            mode = "zygote" if zygote else "supervisor"
            command = [self.env.python, str(WORKER), mode]
            # Not asyncio's: other tasks would run before the process is in `_spared`.
            self._process = subprocess.Popen(
                [*command, str(theirs.fileno()), str(self.directory)],
                env=worker_environment(self.env, self.variables),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd=self.directory,
            )
        _spared.add(self._process.pid)
        theirs.close()
        ours.setblocking(False)
        self._control = ours
        try:
            # Descriptors need the socket itself; the stream only reads a duplicate.
            self._reader, self._writer = await asyncio.open_connection(sock=ours.dup())
            line = await asyncio.wait_for(self._reader.readline(), _START_SECONDS)
            greeting = json.loads(line)
        except asyncio.CancelledError:
            await self.close()
            raise
        except (asyncio.TimeoutError, ConnectionError, ValueError):  # noqa: UP041
            self._process.kill()
            code = await asyncio.to_thread(self._process.wait)
            self.death = describe_exit(-code if code < 0 else code << 8)
            self.broken = "" if zygote else f"the worker {self.death}; fix {self.env.python}"
            await self.close()
            end_orphans()
            return
        self.alive, self.forks, self.spoiler = True, greeting["forks"], greeting["spoiler"]
        if why := greeting["broken"]:
            self.broken = f"torch cannot be imported ({why}); fix {self.env.python}"
        self._listener = asyncio.create_task(self._listen())

    @property
    def log(self) -> str:
        """The end of what it printed itself."""
        return (self.directory / "supervisor.log").read_text(errors="replace")[-OUTPUT_KEPT:]

    async def run(self, directory: Path, fresh: bool, timeout: float, pipes: list[Drain]) -> Ended:
        """Have it run the request in `directory`, which writes its output and result to `pipes`.

        Returns how it ended: `status` as wait gives it, `late` for a time-out, `over` where it
        took too much memory, and its `cpu_seconds`; or why it was `unstarted`.

        Raises:
            Lost: the supervisor ended, and the arm with it.
        """
        number = next(self._numbers)
        ended = self._ended[number] = asyncio.get_running_loop().create_future()
        order = {"run": number, "directory": str(directory), "fresh": fresh}
        if not self.alive or not self._send(order, [pipe.write_end for pipe in pipes]):
            raise Lost
        for pipe in pipes:
            pipe.close_write_end()

        async def stop() -> None:
            self._send({"stop": number})

        late = await _within(timeout, ended, stop, self._process.kill)
        if not (how := await ended):
            raise Lost
        return {**how, "late": late}

    def _send(self, message: dict[str, Any], descriptors: list[int] | None = None) -> bool:
        try:
            data = json.dumps(message).encode() + b"\n"
            socket.send_fds(self._control, [data], descriptors or [])
        except OSError:
            return False
        return True

    async def _listen(self) -> None:
        try:
            # A supervisor that is killed before it reads an order resets the connection.
            with contextlib.suppress(ConnectionError):
                while line := await self._reader.readline():
                    message = json.loads(line)
                    self._ended.pop(message["ended"]).set_result(message)
        finally:
            self.alive = False
            if self._ended:
                # It died before its arms, and this process has inherited what they started.
                await asyncio.to_thread(self._process.wait)
                end_orphans()
            for future in self._ended.values():
                if not future.done():
                    future.set_result({})

    async def close(self) -> None:
        """Have it end its children and exit; whoever made the folder removes it."""
        self.alive = False
        if self._writer:
            self._writer.close()
        self._control.close()
        # While it imports torch it does not see that the other end has hung up.
        self._process.terminate()
        try:
            await asyncio.to_thread(self._process.wait, _STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)
        _spared.discard(self._process.pid)


async def _within(
    seconds: float,
    ended: asyncio.Future[Ended],
    stop: Callable[[], Awaitable[None]],
    give_up: Callable[[], None],
) -> bool:
    """Wait for `ended`; after `seconds` call `stop`, and if that does not help `give_up`.

    Returns whether the time ran out.
    """
    await asyncio.wait([ended], timeout=seconds)
    if ended.done():
        return False
    await stop()
    await asyncio.wait([ended], timeout=_STOP_SECONDS)
    if not ended.done():
        give_up()
    await asyncio.wait([ended])
    return True
