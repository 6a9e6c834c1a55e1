"""An event loop of one's own, for Python 3.10 as well, which lacks `asyncio.Runner`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class EventLoop:
    """Runs one coroutine after another in the same loop; a context manager."""

    def __enter__(self) -> EventLoop:
        """Make the loop."""
        self._loop = asyncio.new_event_loop()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancel what still runs, and close the loop."""
        self._cancel_all()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """What `work` returns; an interrupt from the keyboard cancels it.

        Tasks that are not its own go on: one that listens to a process ends with the process.
        """
        task = self._loop.create_task(work)
        try:
            return self._loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            self._loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
            raise

    def _cancel_all(self) -> None:
        running = asyncio.all_tasks(self._loop)
        for task in running:
            task.cancel()
        if running:
            ended = asyncio.gather(*running, return_exceptions=True)
            self._loop.run_until_complete(ended)


async def together(*works: Coroutine[Any, Any, None]) -> None:
    """Run all `works` at the same time; the first exception cancels the others and propagates."""
    tasks = [asyncio.create_task(it) for it in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
