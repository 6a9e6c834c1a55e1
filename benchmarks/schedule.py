"""What the runner adds to the arms themselves: sleeping arms against their ideal schedule."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.processes import python
from benchmarks.proofs import write_proofs
from benchmarks.size import Size

TITLE = "Runner overhead"


def run(size: Size) -> Iterator[Measure]:
    """Run arms of 0.1 to 1 s that need no core, two and eight at a time."""
    lengths = sleeps(2 * size.sleeping_cases)
    imports = [python("-c", "import torch").seconds for _ in range(3)]
    yield Measure(what="import of torch", unit="s", samples=imports)
    for jobs, target, rounds in ((2, 1.15, 3), (8, None, 1)):
        with tempfile.TemporaryDirectory() as folder:
            command = deciding(lengths, Path(folder))
            walls = [python(*command, "-j", jobs, "--force").seconds for _ in range(rounds)]
        ideal = ideal_seconds(lengths, jobs) + sorted(imports)[1]
        wall = sorted(walls)[rounds // 2]
        yield Measure(
            what=f"wall time over the ideal, -j {jobs}",
            unit="times",
            samples=[each / ideal for each in walls],
            target=target,
            note=f"{len(lengths)} arms: {wall:.1f} s, ideal {ideal:.1f} s with one import of torch",
        )


def sleeps(count: int) -> list[float]:
    """Lengths between 0.1 and 1 s, spread evenly and out of order, the same each time."""
    return [0.1 + 0.9 * (index * 37 % count) / max(count - 1, 1) for index in range(count)]


def deciding(lengths: list[float], folder: Path) -> list[str | Path]:
    """The arguments of Python that decide cases, written below `folder`, of arms that sleep."""
    pairs = zip(lengths[::2], lengths[1::2], strict=True)
    values = [{"SYMPTOM": f"{a:.3f}", "REMEDY": f"{b:.3f}"} for a, b in pairs]
    catalog = write_proofs(folder, "sleeping", values)
    command = ["-m", "validators", "run-all", "--device", "cpu", "--witnesses", "none"]
    return [*command, "--catalog", catalog]


def ideal_seconds(lengths: list[float], jobs: int) -> float:
    """The shortest time in which all of them can run, `jobs` at a time."""
    return max(sum(lengths) / jobs, max(lengths))
