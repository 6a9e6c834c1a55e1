"""Commands in processes of their own: how long they took, and the most memory that they held."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from validators.errors import CasebookError
from validators.files import ROOT

PEAKS = Path(__file__).parent / "peaks"


@dataclass(frozen=True)
class Ran:
    """A finished command: wall time, processor time, what it printed.

    `peaks` is the most memory in MB of each Python process, by what it ran, such as `docsite`.
    """

    seconds: float
    cpu: float
    printed: str
    errors: str
    peaks: Mapping[str, float]


def processor_time(runs: Sequence[Ran]) -> str:
    """The median processor time in words: on a busy machine it tells work from waiting."""
    return f"processor time {statistics.median(ran.cpu for ran in runs):.2f} s"


def python(*arguments: object, peaks: bool = False, ends: tuple[int, ...] = (0,)) -> Ran:
    """Run this interpreter with `arguments`; `peaks` asks for memory, which costs some time.

    Raises:
        CasebookError: its exit status is not in `ends`; the message has the end of its output.
    """
    paths = [str(ROOT), str(ROOT / "site")]
    with tempfile.TemporaryDirectory() as folder:
        # Users' Pythons cache bytecode, so the measured one has to, too.
        variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        variables["CASEBOOK_PEAKS"] = folder
        variables["PYTHONPATH"] = os.pathsep.join([*([str(PEAKS)] if peaks else []), *paths])
        command = [sys.executable, *map(str, arguments)]
        begun, cpu = time.perf_counter(), _cpu()
        done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=ROOT)
        seconds = time.perf_counter() - begun
        if done.returncode not in ends:
            said = " ".join((done.stdout + done.stderr).split())[-500:]
            raise CasebookError(f"{' '.join(command)}: ended with {done.returncode} ({said})")
        return Ran(seconds, _cpu() - cpu, done.stdout, done.stderr, _peaks(Path(folder)))


def _cpu() -> float:
    """Processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peaks(folder: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for file in folder.glob("*.json"):
        process = json.loads(file.read_text())
        found[process["ran"]] = max(process["megabytes"], found.get(process["ran"], 0.0))
    return found
