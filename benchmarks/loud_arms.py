"""The runner's memory while arms print more than it could ever keep."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.processes import python
from benchmarks.proofs import write_proofs
from benchmarks.size import Size

TITLE = "Memory of the runner"


def run(size: Size) -> Iterator[Measure]:
    """Run ten arms that print; the peak is the runner's alone."""
    with tempfile.TemporaryDirectory() as folder:
        values = [{"MEGABYTES": str(size.printed_mb)}] * 5
        catalog = write_proofs(Path(folder), "printing", values)
        done = python(
            *("-m", "validators", "run-all", "--device", "cpu", "--catalog", catalog, "-j", 2),
            peaks=True,
        )
    yield Measure(
        what="peak memory of the runner",
        unit="MB",
        samples=[done.peaks["validators"]],
        target=120,
        note=f"ten arms print {size.printed_mb} MB each",
    )
