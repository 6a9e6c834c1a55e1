"""Looking at processes that come and go."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from validators.worker import process

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")


def test_a_descendant_that_ends_meanwhile_is_no_error():
    """Hundreds of looks at a process whose children last a millisecond."""
    loop = "while true; do /bin/true; done"
    with subprocess.Popen(["sh", "-c", loop]) as shell:
        try:
            deadline = time.monotonic() + 0.4
            while time.monotonic() < deadline:
                assert shell.pid in process.descendants(shell.pid)
                process.private_memory(shell.pid)
                process.resident_memory(shell.pid)
        finally:
            shell.kill()


def test_memory_is_what_a_process_and_its_children_have(tmp_path):
    """Written pages count, once for each process that wrote them; shared ones in parts."""
    ready = tmp_path / "ready"
    program = (
        "import os, time, pathlib\n"
        "held = bytearray(os.urandom(1 << 20)) * 64\n"
        "os.fork()\n"
        f"pathlib.Path({str(ready)!r} + str(os.getpid())).touch()\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as parent:
        try:
            while len(list(tmp_path.iterdir())) < 2:
                time.sleep(0.02)
            private, resident = (
                process.private_memory(parent.pid) >> 20,
                process.resident_memory(parent.pid) >> 20,
            )
        finally:
            os.killpg(parent.pid, 9)
    assert 64 <= private < 110
    assert resident >= 128


def test_only_shared_memory_of_our_own_is_removed():
    """Of two segments that bear a process's number the one from before us stays."""
    number = 2**22 + os.getpid()  # no process has it: Linux counts to 2**22
    mine, older = (Path(f"/dev/shm/torch_{number}_{name}") for name in ("mine", "older"))
    started = process._STARTED
    try:
        older.touch()
        time.sleep(0.05)
        process._STARTED = time.time()
        time.sleep(0.05)
        mine.touch()
        process.remove_shared_memory(number)
        assert (mine.exists(), older.exists()) == (False, True)
    finally:
        process._STARTED = started
        for segment in (mine, older):
            segment.unlink(missing_ok=True)


def test_a_group_is_ended_where_the_kernel_lists_no_children(monkeypatch):
    """What an arm left in its own group goes even then."""
    monkeypatch.setattr(process, "_LISTS_CHILDREN", False)
    leader = subprocess.Popen(
        ["sh", "-c", "sleep 7654323 & echo $!"], stdout=-1, start_new_session=True
    )
    child = int(leader.stdout.readline())
    leader.wait()
    process.end_group(leader.pid)
    gone = threading.Event()
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            gone.set()
            break
        if b" Z " in Path(f"/proc/{child}/stat").read_bytes():
            gone.set()
            break
        time.sleep(0.02)
    assert gone.is_set()
