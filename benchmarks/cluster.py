"""What Ray adds to the arms themselves: thousands of sleeping arms on workers of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.processes import Ran, python
from benchmarks.schedule import deciding, sleeps
from benchmarks.size import Size
from benchmarks.workers import environment
from validators.runner.workers import Workers
from validators.worker import process

TITLE = "A cluster on one machine"
WORKERS = 8
TARGET = 1.15
PER_ARM = "processor time of all processes, for each arm"
_MIB = 2**20
_TICKS = os.sysconf("SC_CLK_TCK")


def run(size: Size) -> Iterator[Measure]:
    """Run arms that need no core with `--engine ray`, from the command to its last record."""
    # Twice: in the mean, as long as an arm of the catalog.
    lengths = [2 * seconds for seconds in sleeps(size.cluster_arms)]
    slept, count = sum(lengths), len(lengths)
    with _processor_time() as spent:
        ran = _decided(lengths)
    yield Measure(
        what=f"wall time over the ideal, {WORKERS} workers",
        unit="times",
        samples=[ran.seconds * WORKERS / slept],
        target=TARGET,
        note=f"{count} arms of 0.2 to 2 s: {ran.seconds:.0f} s, ideal {slept / WORKERS:.0f} s",
    )
    yield Measure(
        what="the same if each worker had a core, at most",
        unit="times",
        samples=[1 + spent["all"] / slept],
        target=TARGET,
        note="computed: the arms' own time and the processor time of all processes, over their own",
    )
    of_command = "processor time of the command that spreads them, for each arm"
    for who, what in (("all", PER_ARM), ("command", of_command)):
        yield Measure(
            what=what,
            unit="ms",
            samples=[1000 * spent[who] / count],
            note=f"{spent[who]:.0f} s in all",
        )
    yield from asyncio.run(_zygotes(slept))


def _decided(lengths: list[float]) -> Ran:
    """How the command ran that decided arms of these lengths."""
    with tempfile.TemporaryDirectory() as folder:
        return python(*deciding(lengths, Path(folder)), "--engine", "ray", "-j", WORKERS)


@contextlib.contextmanager
def _processor_time() -> Iterator[dict[str, float]]:
    """The processor time of `all` processes below this one in the block, and of its `command`.

    It is read once a second: Ray ends its processes in a way that leaves nobody to ask.
    """
    spent, over = {"all": 0.0, "command": 0.0}, threading.Event()

    def watch() -> None:
        while not over.wait(1):
            below = process.descendants(os.getpid()) - {os.getpid()}
            taken = {pid: _taken(pid) for pid in below}
            command = [taken[pid][0] for pid in process.children() if pid in taken]
            spent["all"] = max(spent["all"], sum(map(sum, taken.values())))
            spent["command"] = max(spent["command"], sum(command))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield spent
    finally:
        over.set()
        watcher.join()


def _taken(pid: int) -> tuple[float, float]:
    """The processor seconds of a process, and of the children that it has waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return 0.0, 0.0
    user, system, children_user, children_system = map(int, fields[11:15])
    return (user + system) / _TICKS, (children_user + children_system) / _TICKS


async def _zygotes(arms_seconds: float) -> list[Measure]:
    """What it costs that each worker process has its own zygote."""
    seconds, memory = [], []
    for _ in range(3):
        others = process.children()
        async with Workers(environment(), "fork") as workers:
            begun = time.monotonic()
            await workers.start()
            seconds.append(time.monotonic() - begun)
            (zygote,) = process.children() - others
            memory.append(process.private_memory(zygote) / _MIB)
    share = 100 * WORKERS * sorted(seconds)[1] / arms_seconds
    return [
        Measure(
            what="start of the zygote that each worker process has",
            unit="s",
            samples=seconds,
            note=f"{WORKERS} of them take {share:.1f} % of the arms' own time",
        ),
        Measure(what="memory that such a zygote shares with nobody", unit="MiB", samples=memory),
    ]
