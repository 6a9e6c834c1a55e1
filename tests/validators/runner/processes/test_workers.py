"""Workers whose zygote fails them, and results that cannot be taken as they come."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from validators.environment import describe
from validators.probes.report import Report
from validators.runner.processes import launch, supervisor
from validators.runner.processes.outcome import Outcome
from validators.runner.processes.workers import Task, Workers

torch_here = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not torch_here, reason="the arms need torch")

PROOF = """
import os, time
from validators.probes import captured_facts

def symptom(device): return captured_facts(pid=os.getpid)
def remedy(device): time.sleep(600)
"""
OPENED = """
def opened():
    places = []
    for name in os.listdir("/proc/self/fd"):
        try:
            places.append(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            pass
    return places
"""
# A zygote that finds that it cannot fork, for it has a second thread.
THREADED = """
import runpy, sys, threading, time
if sys.argv[1] == "zygote":
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
runpy.run_path({worker!r}, run_name="__main__")
"""
# A zygote on a machine whose driver starts a thread when torch asks it for GPUs.
WITH_DRIVER = """
import runpy, sys, threading, time
import torch
def device_count():
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return 1
torch.cuda.device_count = device_count
runpy.run_path({worker!r}, run_name="__main__")
"""
# A zygote that dies while it imports.
DYING = """
import os, runpy, sys
if sys.argv[1] == "zygote":
    os.kill(os.getpid(), 11)
runpy.run_path({worker!r}, run_name="__main__")
"""


def task(folder: Path, arm: str = "symptom", timeout: float = 60) -> Task:
    """A task that runs one arm of PROOF."""
    proof = folder / "some_proof.py"
    proof.write_text(PROOF)
    request = {"task": "arm", "arm": arm, "results": "", "proof": str(proof), "device": "cpu"}
    limits = {"memory": 4096, "roots": [str(folder)], "pretend": "", "turns": ""}
    return Task({**request, **limits}, timeout)


@pytest.fixture
def workers(shared_workers, warm):
    """Workers of this interpreter: those that all tests share, if they fork."""

    def of(isolation: str) -> Workers:
        return shared_workers.workers(describe(sys.executable), isolation)

    return of


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize(
    ("zygote", "why"), [(THREADED, "more than one thread"), (DYING, "was killed by SIGSEGV")]
)
def test_a_zygote_that_cannot_fork_is_replaced_by_fresh_interpreters(
    zygote, why, tmp_path, monkeypatch, caplog
):
    """The arms run all the same, and the user is told once why it takes longer."""
    fake = tmp_path / "worker"
    fake.mkdir()
    (fake / "__main__.py").write_text(zygote.format(worker=str(launch.WORKER / "__main__.py")))
    monkeypatch.setattr(supervisor, "WORKER", fake)

    async def both() -> list[Outcome]:
        async with Workers(describe(sys.executable), "fork") as pool:
            return [await pool.run(task(tmp_path)) for _ in range(2)]

    first, second = asyncio.run(both())
    assert first.failure == second.failure == ""
    assert first.result["report"]["facts"]["pid"] != second.result["report"]["facts"]["pid"]
    assert caplog.text.count("cannot fork arms safely") == 1
    assert why in caplog.text


@needs_torch
@pytest.mark.slow
def test_a_zygote_asks_the_driver_in_a_child(tmp_path, monkeypatch, caplog):
    """Inductor asks for GPUs when it is imported; the zygote stays single-threaded and forks."""
    fake = tmp_path / "worker"
    fake.mkdir()
    (fake / "__main__.py").write_text(WITH_DRIVER.format(worker=str(launch.WORKER / "__main__.py")))
    monkeypatch.setattr(supervisor, "WORKER", fake)

    async def run() -> tuple[Outcome, Workers]:
        async with Workers(describe(sys.executable), "fork") as pool:
            return await pool.run(task(tmp_path)), pool

    outcome, pool = asyncio.run(run())
    assert outcome.failure == ""
    assert pool.isolation == "fork"
    assert caplog.text == ""


@needs_torch
@pytest.mark.slow
def test_a_stuck_zygote_does_not_hang_the_run(tmp_path, monkeypatch, caplog):
    """A zygote that no longer answers is killed, and the next task gets another one."""
    monkeypatch.setattr(supervisor, "_STOP_SECONDS", 0.5)

    async def stuck() -> tuple[Outcome, Outcome]:
        async with Workers(describe(sys.executable), "fork") as pool:
            await pool.run(task(tmp_path))
            os.kill(pool._supervisor._process.pid, signal.SIGSTOP)
            lost = await pool.run(task(tmp_path, timeout=30))
            return lost, await pool.run(task(tmp_path))

    begun = time.monotonic()
    lost, after = asyncio.run(stuck())
    assert lost.failure == after.failure == ""
    assert time.monotonic() - begun < 120
    assert caplog.text == ""


@needs_torch
@pytest.mark.slow
def test_a_fresh_arm_that_hangs_is_dumped_and_killed(tmp_path):
    """The time limit holds in a new interpreter too, and the stacks say where it hung."""

    async def hang() -> Outcome:
        async with Workers(describe(sys.executable), "fresh") as pool:
            return await pool.run(task(tmp_path, "remedy", timeout=30))

    outcome = asyncio.run(hang())
    assert outcome.failure == "took longer than 30 s"
    assert "in remedy" in outcome.output


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["fork", "fresh"])
def test_an_arm_inherits_only_its_own_descriptors(tmp_path, isolation, workers):
    """Neither the zygote's socket nor another arm's pipes are open in an arm."""
    job = task(tmp_path)
    proof = Path(job.request["proof"])
    proof.write_text(PROOF.replace("pid=os.getpid", "open=opened") + OPENED)

    async def look() -> list[Outcome]:
        async with workers(isolation) as pool:
            return await asyncio.gather(*(pool.run(job) for _ in range(3)))

    for outcome in asyncio.run(look()):
        opened = outcome.result["report"]["facts"]["open"]
        assert not [place for place in opened if place.startswith("socket:")]
        # Its output (twice: stdout and stderr) and its result.
        assert len([place for place in opened if place.startswith("pipe:")]) == 3


BURNS = """
import os, subprocess, sys, time
from validators.probes import captured_facts

BURN = "import time\\nwhile time.process_time() < {}: pass"

def symptom(device):
    begun = spent()
    subprocess.run([sys.executable, "-S", "-c", BURN.format(0.5)])
    exec(BURN.format(time.process_time() + 0.5))
    time.sleep(1)
    return captured_facts(here=lambda: spent() - begun, in_all=spent)

def spent():
    return sum(os.times()[:4])
"""


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["fork", "fresh"])
def test_an_arm_costs_what_it_and_its_children_compute(tmp_path, isolation, workers):
    """From its start to its end: sleeping is free, and so is what the zygote did before."""
    job = task(tmp_path)
    Path(job.request["proof"]).write_text(BURNS)

    async def cost() -> Outcome:
        async with workers(isolation) as pool:
            return await pool.run(job)

    outcome = asyncio.run(cost())
    assert outcome.failure == ""
    facts = outcome.result["report"]["facts"]
    assert 0.9 < facts["here"] < 1.5
    assert facts["in_all"] <= outcome.cpu_seconds < facts["in_all"] + 0.5
    assert (facts["in_all"] < facts["here"] + 1.0) is (isolation == "fork")


@needs_torch
@pytest.mark.slow
def test_variables_of_all_tasks_are_set_before_torch_is_imported(tmp_path):
    """Forked arms find torch's loggers as they ask for, and as much output as was asked is kept."""
    job = task(tmp_path)
    wanted = "import logging\nloggers = lambda: logging.getLogger('torch._dynamo').level\n"
    proof = PROOF.replace("pid=os.getpid", "level=loggers")
    Path(job.request["proof"]).write_text(f"{wanted}{proof}print('kept')")

    async def loud() -> Outcome:
        async with Workers(describe(sys.executable), "fork", {"TORCH_LOGS": "+dynamo"}, 3) as pool:
            return await pool.run(job)

    outcome = asyncio.run(loud())
    assert outcome.result["report"]["facts"]["level"] == 10
    assert outcome.output == "pt\n"


def test_what_arms_inherit_is_scrubbed(monkeypatch, tmp_path):
    """No variable that torch or Python reads at import reaches an arm from the user's shell."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("TORCH_LOGS", "TORCHINDUCTOR_MAX_AUTOTUNE", "PYTHONPATH", "PYTHONOPTIMIZE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("KEPT", "1")
    if not torch_here:
        pytest.skip("an environment needs torch")
    seen = launch.worker_environment(describe(sys.executable), {"TORCH_LOGS": "the proof's own"})
    assert seen["TORCH_LOGS"] == "the proof's own"
    assert seen["KEPT"] == "1"
    assert not {"TORCHINDUCTOR_MAX_AUTOTUNE", "PYTHONPATH", "PYTHONOPTIMIZE"} & seen.keys()


@needs_torch
def test_pythonpath_does_not_name_a_column(monkeypatch, tmp_path):
    """An interpreter is described as its arms will see it."""
    before = describe(sys.executable).column
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").touch()
    (tmp_path / "torch" / "version.py").write_text("__version__ = '9.9.9'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert describe(sys.executable).column == before


def test_numbers_that_json_lacks_survive_the_journey():
    """NaN and the infinities are judged as what they are."""
    report = Report(facts={"worst": float("nan"), "bounds": [float("inf"), -1.5]})
    data = report.to_json()
    assert data["facts"] == {"worst": "nan", "bounds": ["inf", -1.5]}
    back = Report.from_json(data)
    assert back.facts["bounds"] == [float("inf"), -1.5]
    assert back.facts["worst"] != back.facts["worst"]


@needs_torch
def test_set_ups_that_nobody_uses_are_removed(monkeypatch, tmp_path):
    """A month after its last use the 150 MB of an interpreter's headers are gone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    base = tmp_path / "torch-compile-casebook"
    for name, days in (("old", 31), ("recent", 29), ("pythons", 31)):
        (base / name).mkdir(parents=True)
        if name != "pythons":
            (base / name / "headers-ready").touch()
        used = time.time() - days * 24 * 3600
        os.utime(base / name, (used, used))
    mine = launch.warm_directory(describe(sys.executable))
    assert {folder.name for folder in base.iterdir()} == {"recent", "pythons", mine.name}


ORPHANS = """
import subprocess, sys
from validators.runner.processes import supervisor
from validators.worker import process

ours = subprocess.Popen(["sleep", "600"])
supervisor.adopt_orphans()
later = subprocess.Popen(["sleep", "600"])
leave = "import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)"
subprocess.run([sys.executable, "-c", leave], check=True)
before = len(process.children())
supervisor.end_orphans()
print(before, ours.poll(), later.poll(), process.children() == {ours.pid, later.pid})
ours.kill()
later.kill()
"""


def test_what_this_process_started_itself_is_no_orphan():
    """A browser's driver, for one: only what supervisors left, in sessions of theirs, is ended."""
    command, root = [sys.executable, "-c", ORPHANS], Path(__file__).parents[3]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert done.stdout == "3 None None True\n", done.stderr
