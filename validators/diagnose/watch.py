"""Run a user's command, watched from outside by what torch traces and logs."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from validators.diagnose.recording.log_messages import is_added
from validators.errors import CasebookError
from validators.runner.processes.supervisor import adopt_orphans, end_orphans

LOGS = "graph_breaks,recompiles,cudagraphs"
# Releases before 2.6 name the reason of some graph breaks nowhere else.
_LOGS_BEFORE_2_6 = f"{LOGS},+torch._dynamo.output_graph"
STDERR = "stderr.log"
"""Where the command's stderr is kept, in the folder of its traces."""

_REST_SECONDS = 5.0
"""How long stderr is read after the command ended: a process that it left may hold it open."""


@dataclass(frozen=True)
class Watched:
    """How a command ended: `failure` says how if it failed or took too long, else ""."""

    seconds: float
    failure: str


def watch(command: Sequence[str], folder: Path, timeout: float, old: bool, stdout: int) -> Watched:
    """Run `command` with torch's traces and its stderr kept in `folder`.

    What torch logs only for us is kept and not passed on. `old` says that torch is older than 2.6,
    `stdout` is the descriptor that gets the command's stdout. After `timeout` seconds the command
    and all processes that it started are killed.

    Raises:
        CasebookError: there is no such program or script.
    """
    _check(command)
    mine = os.environ.get("TORCH_LOGS", "")
    ours = _LOGS_BEFORE_2_6 if old else LOGS
    environment = {
        **os.environ,
        "TORCH_TRACE": str(folder),
        "TORCH_LOGS": f"{mine},{ours}" if mine else ours,
    }
    adopt_orphans()
    begun = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=stdout, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stderr
    keep = process.stderr, folder / STDERR, bool(mine)
    reader = threading.Thread(target=_keep, args=keep, daemon=True)
    reader.start()
    code: int | None = None
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = process.wait(timeout)
    finally:
        # What a command that ended by itself leaves running is its own affair.
        if code is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            end_orphans()
        reader.join(_REST_SECONDS)
    seconds = time.monotonic() - begun
    if code is None:
        return Watched(seconds, f"took longer than {timeout:g} s and was ended")
    return Watched(seconds, _ending(code))


def _ending(code: int) -> str:
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"ended with exit status {code}" if code else ""


def _check(command: Sequence[str]) -> None:
    if not shutil.which(command[0]):
        raise CasebookError(
            f"{command[0]}: is not a program; write -- python train.py, or one target alone"
        )
    script = next((it for it in command[1:] if not it.startswith("-")), "")
    named = Path(command[0]).name.startswith("python") and script == "".join(command[1:2])
    if named and script and not Path(script).exists():
        raise CasebookError(f"{script}: is not there; name a script, seen from {Path.cwd()}")


def _keep(stream: IO[bytes], file: Path, theirs: bool) -> None:
    """Write what comes to `file`, and pass on what the user would see without us."""
    with file.open("wb") as kept:
        for line in stream:
            kept.write(line)
            if theirs or not is_added(line.decode("utf-8", "replace")):
                sys.stderr.buffer.write(line)
                sys.stderr.flush()
