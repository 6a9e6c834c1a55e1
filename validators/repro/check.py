"""Run a reproducer as a stranger would: in a clean folder, with the user's interpreter alone."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from validators.repro.goal import Goal

NAME = "repro.py"
_OURS = ("PYTHON", "TORCH", "CASEBOOK_")
"""Beginnings of the variables that a stranger does not have."""


@dataclass(frozen=True)
class Checked:
    """How the script ended: whether it fails as recorded, what it said, and torch's trace."""

    same: bool
    said: str
    output: str
    trace: str = ""


def checked(folder: Path, python: str, timeout: float, goal: Goal) -> Checked:
    """Run `folder`/repro.py in a copy of the folder, with TORCH_TRACE; compare with `goal`."""
    with tempfile.TemporaryDirectory(prefix="repro-") as name:
        place = Path(name).resolve()
        shutil.copytree(folder, place / "repro")
        told = place / "trace"
        command = [python, NAME]
        status, output = run(place / "repro", command, timeout, {"TORCH_TRACE": str(told)})
        output = output.replace(f"{place / 'repro'}/", "").replace(f"{place}/", "")
        logs = sorted(told.glob("*.log"))
        text = "".join(it.read_text(encoding="utf-8", errors="replace") for it in logs)
        text = text.replace(f"{place / 'repro'}/", "").replace(f"{place}/", "")
    said = _said(status, output)
    told_so = status == 1 and re.search("^fails: ", output, re.MULTILINE) is not None
    died = status is not None and status < 0 and goal.shown_by([said])
    return Checked(told_so or died, said, output, text)


def run(
    folder: Path, command: list[str], timeout: float, variables: dict[str, str] | None = None
) -> tuple[int | None, str]:
    """The exit status of a command in `folder`, None if it took too long, and what it printed."""
    clean = {name: it for name, it in os.environ.items() if not name.startswith(_OURS)}
    caches = {"TORCHINDUCTOR_CACHE_DIR": str(folder.parent / "cache")}
    started = subprocess.Popen(
        command,
        cwd=folder,
        env={**clean, **caches, **(variables or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        printed, _ = started.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        printed, _ = started.communicate()
        return None, printed.decode(errors="replace")
    return started.returncode, printed.decode(errors="replace")


def _said(status: int | None, output: str) -> str:
    """The end of a run in one line."""
    if status is None:
        return "took too long"
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    lines = [it for it in output.splitlines() if it.strip()] or [""]
    told = [it for it in lines if it.startswith(("fails: ", "cannot decide: "))]
    return (told[-1] if told else f"exit status {status}: {lines[-1]}")[:300]
