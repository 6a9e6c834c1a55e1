"""The lock on the machine, with a second process that holds it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.validators.runner import toy
from validators.catalog import load_catalog
from validators.environment import Environment
from validators.runner import lock, run
from validators.runner.lock import TimedTurns
from validators.runner.plan import Job, Plan, Settings

ROOT = Path(__file__).resolve().parents[3]
OTHER = """
import asyncio, sys
from pathlib import Path
from validators.runner import lock
lock.lock_file = lambda: Path(sys.argv[1])
async def hold():
    async with lock.TimedTurns(Path("/another/checkout")).turn("its_case"):
        print("held", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
asyncio.run(hold())
"""


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    """A lock file of this test's own."""
    place = tmp_path / "machine.lock"
    monkeypatch.setattr(lock, "lock_file", lambda: place)
    return place


@contextmanager
def other_run(file: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that times a case until its standard input is closed."""
    command, pipe = [sys.executable, "-c", OTHER, str(file)], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


async def take(turns: TimedTurns, case: str = "our_case") -> str:
    """Take a turn; what the lock file said meanwhile."""
    async with turns.turn(case):
        return lock.lock_file().read_text()


def test_a_timed_case_waits_for_another_run_and_says_for_whom(file, caplog):
    """The message names the process, its repository and the case that it times."""

    async def wait() -> str:
        turn = asyncio.create_task(take(TimedTurns(Path("/ours"))))
        while not caplog.messages:
            await asyncio.sleep(0.01)
        assert not turn.done()
        assert other.stdin
        other.stdin.close()
        return await turn

    with other_run(file) as other:
        said = asyncio.run(wait())
    assert said.endswith(" in /ours is timing our_case")
    holder = f"process {other.pid} in /another/checkout is timing its_case"
    assert caplog.messages == [f"our_case: waiting up to 60 s because {holder}"]
    assert file.read_text() == ""


def test_patience_is_bounded_for_all_cases_of_a_run_together(file, caplog):
    """Once it is spent every case runs at once, with a warning that its times may be off."""
    turns = TimedTurns(Path("/ours"), patience=0.5)
    with other_run(file) as other:
        begun = time.monotonic()
        said = [asyncio.run(take(turns, case)) for case in ("one", "two")]
        assert 0.5 < time.monotonic() - begun < 30
    holder = f"process {other.pid} in /another/checkout is timing its_case"
    assert said == [holder, holder]
    assert caplog.messages[1:] == [
        f"{case}: its times may be off because {holder}" for case in ("one", "two")
    ]


def test_a_killed_run_blocks_nobody(file, caplog):
    """The kernel releases what it held, and what it wrote is not believed."""
    with other_run(file) as other:
        other.kill()
        other.wait()
        asyncio.run(take(TimedTurns(Path("/ours"))))
    assert caplog.messages == []


def test_what_is_not_timed_takes_no_lock(file, tmp_path, monkeypatch, make_record):
    """While another run holds the lock, ordinary cases of this one run."""
    catalog = load_catalog(toy.write_toy(tmp_path, "agrees", "swapped"))
    done: list[str] = []

    class Decider:
        def __init__(self, *_):
            pass

        async def decide(self, job):
            done.append(job.case.name)

    monkeypatch.setattr(run, "Decider", Decider)
    env = Environment("/nowhere/python", make_record("any").fingerprint, frozenset())
    plan = Plan(tuple(Job(case, env) for case in catalog.cases), ())
    with other_run(file):
        ours = run._Run(catalog, Settings(), lambda _: None)
        asyncio.run(asyncio.wait_for(ours.within_budget(plan), 30))
    assert done == ["agrees", "swapped"]
