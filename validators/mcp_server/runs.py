"""Commands that run a user's code, each as a process of its own with a time limit.

Such code may print, crash or hang; the server's own standard output carries the protocol.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from subprocess import DEVNULL

import anyio
from anyio.abc import Process

from validators.errors import CasebookError
from validators.files import ROOT

Told = Callable[[float, float, str], Awaitable[None]]
"""Hears the seconds so far, those allowed, and the last message."""
_BEAT = 2.0
_GRACE = 5.0
"""Seconds that a command gets to end its workers and remove its folders."""
_BROKEN_USE = 2


@dataclass
class _Running:
    """What a command has printed so far."""

    output: list[bytes] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)

    @property
    def said(self) -> str:
        return b"".join(self.output).decode("utf-8", "replace")

    @property
    def last(self) -> str:
        lines = b"".join(self.messages).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "running"


async def run_command(words: Sequence[str], seconds: float, told: Told) -> str:
    """What the command line prints for `words`; `told` hears regularly how far it is.

    Raises:
        CasebookError: it refuses its input, breaks, or takes longer than `seconds`.
    """
    running, since = _Running(), time.monotonic()

    async def beat() -> None:
        while True:
            await told(time.monotonic() - since, seconds, running.last)
            await anyio.sleep(_BEAT)

    process = await anyio.open_process(
        [sys.executable, str(ROOT / "validators"), *words], stdin=DEVNULL, start_new_session=True
    )
    try:
        with anyio.fail_after(seconds):
            async with anyio.create_task_group() as group:
                group.start_soon(beat)
                async with anyio.create_task_group() as readers:
                    readers.start_soon(_read, process.stdout, running.output)
                    readers.start_soon(_read, process.stderr, running.messages)
                status = await process.wait()
                group.cancel_scope.cancel()
    except TimeoutError:
        raise CasebookError(
            f"{words[0]}: took more than {seconds:g} s and was ended; "
            "give `seconds` a larger number, or make the target smaller"
        ) from None
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
            await process.aclose()
    if status == _BROKEN_USE or not running.output:
        raise CasebookError(running.last.removeprefix("Error: "))
    return running.said


async def _read(stream: AsyncIterable[bytes] | None, into: list[bytes]) -> None:
    if stream is not None:
        async for piece in stream:
            into.append(piece)


async def _end(process: Process) -> None:
    """End a command that still runs, by an interrupt first: it then ends its workers itself."""
    for sent in (signal.SIGINT, signal.SIGKILL):
        if process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sent)
        with anyio.move_on_after(_GRACE):
            await process.wait()
