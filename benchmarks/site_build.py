"""The site of synthetic catalogs: time, size and memory, as they grow."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.processes import processor_time, python
from benchmarks.size import Size
from benchmarks.synthetic import write_project

TITLE = "Site"


def run(size: Size) -> Iterator[Measure]:
    """Build the whole site several times, then once at each size of the growth."""
    with tempfile.TemporaryDirectory() as folder:
        catalog = write_project(Path(folder), size.cases, size.columns)
        out = Path(folder) / "out"
        command = ["-m", "docsite", "build", "--catalog", catalog, "--out", out]
        runs = [python(*command) for _ in range(min(size.rounds, 3))]
        note = f"{size.cases} cases, {size.columns} columns; {processor_time(runs)}"
        yield Measure(
            what="`docsite build`",
            unit="s",
            samples=[ran.seconds for ran in runs],
            target=12,
            note=note,
        )
        yield Measure(
            what="size of the site",
            unit="MB",
            samples=[_megabytes(out / "site")],
            target=25,
            note=f"{note}; Markdown beside each page, catalog.json and llms.txt included",
        )
        yield Measure(
            what="of it, what browsers load",
            unit="MB",
            samples=[_megabytes(out / "site", for_agents=False)],
            target=20,
            note=note,
        )
    for cases in size.growth:
        yield from _growth(cases, size.columns)


def _growth(cases: int, columns: int) -> Iterator[Measure]:
    with tempfile.TemporaryDirectory() as folder:
        catalog, out = write_project(Path(folder), cases, columns), Path(folder) / "out"
        command = ["-m", "docsite", "build", "--catalog", catalog, "--out", out]
        ran = python(*command, peaks=True)
        site = _megabytes(out / "site")
    at = f"at {cases} cases"
    yield Measure(what=f"processor time, {at}", unit="s", samples=[ran.cpu])
    yield Measure(what=f"peak memory, {at}", unit="MB", samples=[ran.peaks["docsite"]])
    yield Measure(what=f"size of the site, {at}", unit="MB", samples=[site])


def _megabytes(folder: Path, for_agents: bool = True) -> float:
    """The bytes of all files below a folder, in millions, with or without those for agents."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return sum(f.stat().st_size for f in files if for_agents or not _is_for_agents(f)) / 1e6


def _is_for_agents(file: Path) -> bool:
    return file.suffix == ".md" or file.name in ("catalog.json", "llms.txt")
