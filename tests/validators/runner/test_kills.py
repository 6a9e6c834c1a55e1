"""Whatever is killed, nothing of ours is left, and no other case loses its verdict."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.validators.runner import toy

ROOT = Path(__file__).resolve().parents[3]
torch_here = importlib.util.find_spec("torch") is not None
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not torch_here, reason="the arms need torch")]


class Watched:
    """A `run-all` over some toy proofs, of which `litters` hangs."""

    def __init__(self, root: Path, *arguments: str) -> None:
        # New interpreters take seconds each: that the other cases go on, and that witnesses are
        # asked, is shown with forked arms.
        fresh = "fresh" in arguments
        others = () if fresh else ("agrees", "swapped")
        arguments = (*arguments, "--witnesses", "none") if fresh else arguments
        self.catalog = toy.write_toy(root, "litters", *others)
        # Not below pytest's own: torch makes a socket in it, whose path must be short.
        self.temporary = Path(tempfile.mkdtemp())
        self.said: dict[str, Any] = {"segments": []}
        self.runner = self.start(*arguments)
        self.proof = self.catalog / "tooling" / "litters.py"

    def reach(self) -> Watched:
        """Wait until `litters` hangs, and learn who takes part."""
        mark = self.proof.with_suffix(".pids")
        wait_for(mark.exists, 90, self.runner)
        self.said = json.loads(mark.read_text())
        assert len(self.said["segments"]) == 2
        return self

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A runner over the catalog, whose temporary folders are in `self.temporary`."""
        command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
        return subprocess.Popen(
            [*command, "-j", "1", "--catalog", str(self.catalog), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )

    def kill(self, who: str, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill the runner, or one of those that the arm named."""
        os.kill(self.runner.pid if who == "runner" else self.said[who], how)

    def finish(self) -> dict[str, str]:
        """Let `litters` go on; returns the verdicts."""
        self.proof.with_suffix(".go").touch()
        out, err = self.runner.communicate(timeout=120)
        assert out, err
        return {r["case"]: r["verdict"] for r in json.loads(out)["results"]}

    def left(self) -> list[str]:
        """What is left of the run: processes, temporary folders, shared memory."""
        found = [str(path) for path in self.temporary.glob("casebook-*")]
        found += [name for name in self.said["segments"] if Path("/dev/shm", name).exists()]
        for line in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = line.read_bytes()
            except OSError:
                continue
            if b"7654322" in command or str(self.temporary).encode() in command:
                found.append(command.decode())
        return found


def wait_for(
    condition: Callable[[], bool], seconds: float, runner: subprocess.Popen[str] | None = None
) -> None:
    """Return as soon as `condition` holds; a runner that ends before is no use waiting for."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert runner is None or runner.poll() is None, runner.communicate()
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


@pytest.fixture
def watched(tmp_path) -> Iterator[Callable[..., Watched]]:
    """Starts a watched run; it is killed if the test fails."""
    runs = []

    def start(*arguments: str) -> Watched:
        runs.append(Watched(tmp_path, *arguments))
        return runs[-1]

    yield start
    for run in runs:
        run.runner.kill()
        run.runner.communicate()
        shutil.rmtree(run.temporary)


OTHERS = {"agrees": "confirmed", "swapped": "refuted"}
ISOLATIONS = pytest.mark.parametrize("isolation", ["fork", "fresh"])


@pytest.mark.parametrize(
    ("how", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)]
)
def test_a_stopped_runner_leaves_nothing(watched, how, status):
    """Ended or interrupted half way, it takes everything along."""
    run = watched().reach()
    run.kill("runner", how)
    _, err = run.runner.communicate(timeout=30)
    assert run.runner.returncode == status
    if how == signal.SIGINT:
        assert err.strip() == "Interrupted; run it again to go on where it stopped."
    wait_for(lambda: not run.left(), 15)


@ISOLATIONS
def test_a_killed_runner_leaves_nothing_and_goes_on(watched, isolation):
    """After `kill -9` half way nothing is left, and the next run does what is missing."""
    run = watched("--isolation", isolation).reach()
    run.kill("runner")
    run.runner.communicate(timeout=30)
    wait_for(lambda: not run.left(), 15)
    again, _ = run.start().communicate(timeout=120)
    results = {r["case"]: (r["verdict"], r["current"]) for r in json.loads(again)["results"]}
    assert results.pop("litters") == ("confirmed", False)
    if isolation == "fork":
        assert results == {"agrees": ("confirmed", True), "swapped": ("refuted", False)}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_runner_that_is_stopped_while_torch_is_imported(watched, how):
    """The supervisor, which has seconds to go until it listens, leaves at once."""
    run = watched()
    wait_for(lambda: any("zygote" in line for line in run.left()), 30, run.runner)
    time.sleep(0.5)
    run.kill("runner", how)
    wait_for(lambda: not run.left(), 2)


@pytest.mark.parametrize(
    ("isolation", "how"),
    [("fork", signal.SIGKILL), ("fork", signal.SIGTERM), ("fresh", signal.SIGKILL)],
)
def test_a_killed_supervisor_costs_nothing(watched, isolation, how):
    """Its arms are repeated, fresh, and what they had started is gone."""
    run = watched("--isolation", isolation, "-j", "2").reach()
    run.kill("supervisor", how)
    verdicts = run.finish()
    assert verdicts.pop("litters") == "confirmed"
    assert verdicts == ({} if isolation == "fresh" else OTHERS)
    assert run.left() == []


@ISOLATIONS
def test_a_killed_arm_costs_its_verdict(watched, isolation):
    """The case is an error, all others are decided, and what the arm had started is gone."""
    run = watched("--isolation", isolation, "-j", "2").reach()
    run.kill("arm")
    verdicts = run.finish()
    assert verdicts.pop("litters") == "error"
    assert verdicts == ({} if isolation == "fresh" else OTHERS)
    assert run.left() == []


def test_a_killed_descendant_is_the_arms_own_affair(watched):
    """A process that an arm started may die without the arm."""
    run = watched().reach()
    run.kill("child")
    assert run.finish() == {"litters": "confirmed", **OTHERS}
    assert run.left() == []
