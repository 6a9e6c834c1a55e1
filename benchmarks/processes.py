"""Commands in processes of their own: how long they took, and the most memory that they held."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from validators.errors import CasebookError
from validators.evidence.digest import ROOT

PEAKS = Path(__file__).parent / "peaks"


@dataclass(frozen=True)
class Ran:
    """A finished command: wall time, what it printed, and the peak of each Python process in MB.

    A peak's key is what the process ran, such as `mkdocs` or `validators`.
    """

    seconds: float
    printed: str
    errors: str
    peaks: Mapping[str, float]


def python(*arguments: object, peaks: bool = False, ends: tuple[int, ...] = (0,)) -> Ran:
    """Run this interpreter with `arguments`; `peaks` asks for memory, which costs some time.

    Raises:
        CasebookError: its exit status is none of `ends`; the message has the end of its output.
    """
    paths = [str(ROOT), str(ROOT / "site")]
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "CASEBOOK_PEAKS": folder}
        variables["PYTHONPATH"] = os.pathsep.join([*([str(PEAKS)] if peaks else []), *paths])
        command = [sys.executable, *map(str, arguments)]
        begun = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=ROOT)
        seconds = time.perf_counter() - begun
        if done.returncode not in ends:
            said = " ".join((done.stdout + done.stderr).split())[-500:]
            raise CasebookError(f"{' '.join(command)}: ended with {done.returncode} ({said})")
        return Ran(seconds, done.stdout, done.stderr, _peaks(Path(folder)))


def _peaks(folder: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for file in folder.glob("*.json"):
        process = json.loads(file.read_text())
        found[process["ran"]] = max(process["megabytes"], found.get(process["ran"], 0.0))
    return found
