"""How work ends that somebody interrupts."""

from __future__ import annotations

import asyncio
import signal

import pytest

from validators.runner.processes.event_loop import EventLoop


@pytest.fixture
def interruptible():
    """Interrupts raise, also where whoever runs the tests ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_cancels_the_work_and_leaves_who_listens(interruptible):
    """A listener that waits for a process would wait forever: the process ends afterwards."""
    ended: list[str] = []

    async def listen() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("listener")

    async def work() -> None:
        listeners.append(asyncio.create_task(listen()))
        asyncio.get_running_loop().call_later(0.05, signal.raise_signal, signal.SIGINT)
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("work")

    listeners: list[asyncio.Task[None]] = []
    with EventLoop() as loop:
        with pytest.raises(KeyboardInterrupt):
            loop.run(work())
        assert ended == ["work"]
        assert not listeners[0].done()
    assert ended == ["work", "listener"]
