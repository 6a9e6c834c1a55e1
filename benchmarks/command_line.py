"""The command line with a large catalog: a new process each time, the commands in turn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.processes import Ran, processor_time, python
from benchmarks.size import Size
from benchmarks.synthetic import case_name, write_project

TITLE = "Command line"
TARGETS = {"--help": 0.25, "list": 0.25, "show": 0.25, "run-all": 1.0}


def run(size: Size) -> Iterator[Measure]:
    """Time each command; `run-all` finds everything current."""
    with tempfile.TemporaryDirectory() as folder:
        catalog = write_project(Path(folder), size.cases, size.columns)
        commands: dict[str, list[object]] = {
            "--help": ["--help"],
            "list": ["list", "--catalog", catalog],
            "show": ["show", case_name(size.cases // 2), "--catalog", catalog],
            "run-all": ["run-all", "--device", "cpu", "--catalog", catalog],
        }
        runs: dict[str, list[Ran]] = {name: [] for name in commands}
        for _ in range(size.rounds + 1):
            for name, words in commands.items():
                runs[name].append(python("-m", "validators", *words))
        for name, (_, *warm) in runs.items():  # the first round fills the disk's cache
            yield Measure(
                what=f"`{name}`{', nothing changed' if name == 'run-all' else ''}",
                unit="s",
                samples=[ran.seconds for ran in warm],
                target=TARGETS[name],
                note=f"{size.cases} cases, {size.columns} columns; {processor_time(warm)}",
            )
        done = python("-X", "importtime", "-m", "validators", *commands["run-all"])
        yield Measure(
            what="modules of torch that the nothing-changed `run-all` imports",
            unit="",
            samples=[float(_imported(done.errors, "torch"))],
            target=1,
        )
        peak = python("-m", "validators", *commands["run-all"], peaks=True).peaks["validators"]
        yield Measure(
            what="peak memory of the nothing-changed `run-all`",
            unit="MB",
            samples=[peak],
            target=120,
        )


def _imported(said: str, package: str) -> int:
    """How many modules of a package `-X importtime` names."""
    names = (line.rpartition("|")[2].strip() for line in said.splitlines())
    return sum(name == package or name.startswith(f"{package}.") for name in names)
