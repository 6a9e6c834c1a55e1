"""Commands of the casebook in processes of their own, and the processor time that they take."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from validators.errors import CasebookError
from validators.files import ROOT


def cpu_seconds() -> float:
    """Return the processor time of this process and of all children that it has waited for.

    It is the timer of what computes: on a busy machine, wall time says nothing.
    """
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def call(module: str, *arguments: object) -> None:
    """Run `python -m MODULE` with these arguments.

    Raises:
        CasebookError: it failed, so its time would say nothing.
    """
    command = [sys.executable, "-m", module, *map(str, arguments)]
    # Users' Pythons keep bytecode, so the measured one has to, too.
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=ROOT)
    if done.returncode:
        said = " ".join((done.stdout + done.stderr).split())[-500:]
        raise CasebookError(f"{' '.join(command)}: ended with {done.returncode} ({said})")
