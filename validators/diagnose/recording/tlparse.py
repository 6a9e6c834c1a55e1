"""tlparse's report of a trace, if tlparse is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 300


def tlparse_report(files: Sequence[Path], out: Path) -> str:
    """Write tlparse's report of each of the traces `files` into `out`; say in a sentence where."""
    program = shutil.which("tlparse", path=Path(sys.executable).parent) or shutil.which("tlparse")
    if not program:
        return "tlparse is not installed; `pip install tlparse` adds its report of the trace."
    for file in files:
        place = out / file.stem if len(files) > 1 else out
        command = [program, str(file), "-o", str(place), "--overwrite", "--no-browser"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return f"tlparse took longer than {_SECONDS} s for {file.name}."
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
            return f"tlparse cannot read {file.name}: {why}"
    return f"tlparse's report: {out}/index.html" if len(files) == 1 else f"tlparse's reports: {out}"
