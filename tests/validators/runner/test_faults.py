"""A full disk, a second runner, a broken interpreter, a budget: what a night may bring."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
import venv
from pathlib import Path

import msgspec
import pytest

from tests.commands import call
from tests.validators.runner import toy
from validators.cli import main
from validators.environment import describe
from validators.evidence import Reports, load_evidence, load_records, write_record
from validators.evidence.stored.store import reports_file

ROOT = Path(__file__).resolve().parents[3]
torch_here = importlib.util.find_spec("torch") is not None
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not torch_here, reason="the arms need torch")]


def start(catalog: Path, *arguments: str, **options) -> subprocess.Popen[str]:
    """A running `run-all --json` over `catalog`."""
    command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
    return subprocess.Popen(
        [*command, "--catalog", str(catalog), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        **options,
    )


def run(catalog: Path, *arguments: str, **options) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a finished run."""
    runner = start(catalog, *arguments, **options)
    out, err = runner.communicate(timeout=300)
    return runner.returncode, out, err


def warm_run(catalog: Path, *arguments: str) -> tuple[int, str, str]:
    """What `run` returns, of a command in this process; needs `warm`."""
    words = ("run-all", "--json", "--device", "cpu", "--catalog", catalog, *arguments)
    done = call(main, *words, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


def verdicts(out: str) -> dict[str, str]:
    """The verdicts of a run's output by case."""
    return {result["case"]: result["verdict"] for result in json.loads(out)["results"]}


def local_evidence(root: Path) -> Path:
    """The evidence of a catalog's own runs."""
    return root / "build" / "evidence"


def test_a_file_that_cannot_grow(tmp_path, unmeasured, warm):
    """What was recorded stays whole, the sentence names the file, and the next run goes on."""
    catalog = toy.write_toy(tmp_path, "agrees", "swapped", "openly_eager")
    warm_run(catalog, "--only", "agrees")
    folder = local_evidence(tmp_path)
    (record,) = load_records(folder, "agrees")
    large = Reports({"facts": {"text": "x" * 200_000}})
    other = {"case": "swapped", "column": "torch-2.0.0-cpu", "reports": large}
    write_record(folder, msgspec.structs.replace(record, **other))
    before, room = load_evidence(folder, whole=True), 100_000
    status, out, err = run(
        catalog,
        "--isolation",
        "fork",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        env=unmeasured,
    )
    assert (status, out) == (2, "")
    file = reports_file(folder, "swapped")
    assert err == f"Error: {file}: File too large; fix that and run again\n"
    assert before.items() <= load_evidence(folder, whole=True).items()
    status, out, _ = warm_run(catalog)
    assert status == 1
    assert verdicts(out) == {
        "agrees": "confirmed",
        "swapped": "refuted",
        "openly_eager": "confirmed",
    }


def small_disk(place: Path) -> list[str]:
    """The start of a command that runs with 64 KiB of disk at `place`, which it alone sees."""
    mount = f'mount -t tmpfs -o size=64k none {place} && exec "$@"'
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("this machine lets no test mount anything")
    return words


def test_a_full_temporary_disk(tmp_path):
    """Arms whose caches do not fit are errors that say so; the runner itself goes on."""
    small = tmp_path / "small"
    small.mkdir()
    catalog = toy.write_toy(tmp_path, "agrees", "swapped", "fills_the_disk")
    command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
    done = subprocess.run(
        [*small_disk(small), *command, "-j", "1", "--catalog", str(catalog)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(small)},
    )
    assert done.returncode == 3, done.stderr
    results = {r["case"]: r for r in json.loads(done.stdout)["results"]}
    assert "No space left on device" in results["fills_the_disk"]["reason"]
    assert results["agrees"]["verdict"] == "confirmed"
    assert results["swapped"]["verdict"] == "refuted"


def test_a_temporary_disk_without_room_for_a_request(tmp_path):
    """Where not even a request can be written, the run ends in one sentence that names the file."""
    small = tmp_path / "small"
    small.mkdir()
    catalog = toy.write_toy(tmp_path, "agrees")
    fill = f'head -c 60k /dev/zero > {small}/full; exec "$@"'
    command = [sys.executable, "-m", "validators", "run-all", "--device", "cpu"]
    done = subprocess.run(
        [*small_disk(small), "sh", "-c", fill, "sh", *command, "--catalog", str(catalog)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(small)},
    )
    assert done.returncode == 2
    assert re.fullmatch(
        rf"Error: {small}/casebook-\w+/\d/request.json: "
        r"No space left on device; fix that and run again\n",
        done.stderr,
    )


def test_two_runners_on_one_folder(tmp_path):
    """Both decide and record everything, and no file of either is torn."""
    catalog = toy.write_toy(tmp_path, "agrees", "swapped", "openly_eager")
    runners = [start(catalog, "--record") for _ in range(2)]
    outs = [runner.communicate(timeout=300)[0] for runner in runners]
    expected = {"agrees": "confirmed", "swapped": "refuted", "openly_eager": "confirmed"}
    assert [verdicts(out) for out in outs] == [expected, expected]
    for folder in (local_evidence(tmp_path), tmp_path / "playbooks" / "evidence"):
        kept = load_evidence(folder, whole=True)
        assert {case: record.verdict for (case, _), record in kept.items()} == expected


def fake_torch(place: Path, init: str) -> str:
    """A virtual environment whose torch 9.9.9 is `init`; returns its interpreter."""
    venv.create(place, symlinks=True)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "torch").mkdir()
    (packages / "torch" / "__init__.py").write_text(init)
    (packages / "torch" / "version.py").write_text("__version__ = '9.9.9'\n")
    return str(place / "bin" / "python")


@pytest.mark.parametrize(
    ("init", "reason"),
    [
        (
            "raise ImportError('libtorch_cpu.so: cannot open shared object file')",
            "torch cannot be imported (ImportError: libtorch_cpu.so: cannot open shared object "
            "file); fix {python}",
        ),
        ("import os; os.kill(os.getpid(), 11)", "was killed by SIGSEGV"),
    ],
)
def test_a_broken_torch_spoils_its_own_column_only(tmp_path, init, reason):
    """Each case says in one sentence what is broken there; the sound interpreter decides all."""
    catalog = toy.write_toy(tmp_path, "agrees", "swapped")
    python = fake_torch(tmp_path / "broken", init)
    status, out, err = run(catalog, "--python", python, "--python", sys.executable)
    assert status == 3, err
    results = json.loads(out)["results"]
    broken = [r for r in results if r["column"] == "torch-9.9.9-cpu"]
    assert [r["verdict"] for r in broken] == ["error", "error"]
    assert all(reason.format(python=python) in r["reason"] for r in broken)
    sound = {r["case"]: r["verdict"] for r in results if r not in broken}
    assert sound == {"agrees": "confirmed", "swapped": "refuted"}


def test_a_budget_stops_what_runs(tmp_path, warm):
    """The run ends in time with what is decided; the rest is counted, and the next run does it."""
    catalog = toy.write_toy(tmp_path, "agrees", "hangs", "swapped")
    warm_run(catalog, "--only", "agrees")
    begun = time.monotonic()
    status, out, _ = run(catalog, "-j", "1", "--budget", "7", "--timeout", "60")
    assert time.monotonic() - begun < 20
    output = json.loads(out)
    assert (status, output["not_reached"]) == (0, 2)
    assert verdicts(out) == {"agrees": "confirmed"}
    _, out, _ = warm_run(catalog, "--only", "swapped")
    assert verdicts(out) == {"swapped": "refuted"}


def test_a_flood_of_output_does_not_grow_the_runner(tmp_path):
    """A gigabyte that an arm prints passes through less than 120 MB."""
    runner = start(toy.write_toy(tmp_path, "prints_a_gigabyte"))
    peak = 0

    def watch() -> None:
        nonlocal peak
        while runner.poll() is None:
            try:
                lines = Path(f"/proc/{runner.pid}/status").read_text().splitlines()
            except OSError:
                return
            peak = max([peak, *(int(x.split()[1]) for x in lines if x.startswith("VmHWM"))])
            time.sleep(0.02)

    thread = threading.Thread(target=watch)
    thread.start()
    out, _ = runner.communicate(timeout=300)
    thread.join()
    assert verdicts(out) == {"prints_a_gigabyte": "confirmed"}
    assert 10_000 < peak < 120_000


def test_a_folder_that_nobody_owns_is_swept(tmp_path, monkeypatch):
    """The next run removes what a runner left whose supervisor was killed with it; no other's."""
    from validators.runner.processes.folder import run_folder

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with run_folder() as living:
        abandoned = tmp_path / "casebook-abandoned"
        shutil.copytree(living, abandoned)
        foreign = tmp_path / "casebook-notes"
        foreign.mkdir()
        with run_folder():
            assert living.exists()
            assert foreign.exists()
            assert not abandoned.exists()
    assert not living.exists()


def test_folders_that_are_made_at_once_stay(tmp_path):
    """The sweep of one runner never takes the new folder of another for an abandoned one."""
    program = (
        "from validators.runner.processes.folder import run_folder\n"
        "for _ in range(1500):\n"
        "    with run_folder() as folder:\n"
        "        assert (folder / 'owner.lock').exists(), folder\n"
    )
    runners = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    assert [runner.communicate()[1] for runner in runners] == ["", ""]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.matrix
def test_the_oldest_python(tmp_path):
    """An interpreter of Python 3.10 decides as any other, where one is named."""
    pythons = os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep)
    old = [python for python in pythons if python and _is_310(python)]
    if not old:
        pytest.skip("CASEBOOK_PYTHONS names no Python 3.10")
    catalog = toy.write_toy(tmp_path, "agrees", "swapped", "hangs", "segfaults")
    for isolation in ("fork", "fresh"):
        _, out, _ = run(catalog, "--python", old[0], "--isolation", isolation, "--force")
        assert verdicts(out) == {
            "agrees": "confirmed",
            "swapped": "refuted",
            "hangs": "error",
            "segfaults": "error",
        }


def _is_310(python: str) -> bool:
    return describe(python).fingerprint.python.startswith("3.10.")
