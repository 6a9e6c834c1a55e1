"""The site of synthetic catalogs: time, size and memory, as they grow; then our own site."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measures import Measure
from benchmarks.processes import python
from benchmarks.size import Size
from benchmarks.synthetic import write_project
from benchmarks.workers import CATALOG
from validators.catalog import load_catalog

TITLE = "Site"


def run(size: Size) -> Iterator[Measure]:
    """Build the whole site several times, then once at each size of the growth, then our own."""
    with tempfile.TemporaryDirectory() as folder:
        catalog = write_project(Path(folder), size.cases, size.columns)
        out = Path(folder) / "out"
        command = ["-m", "docsite", "build", "--catalog", catalog, "--out", out]
        runs = [python(*command) for _ in range(min(size.rounds, 3))]
        note = f"{size.cases} cases, {size.columns} columns"
        yield Measure(
            what="processor time of `docsite build`",
            unit="s",
            samples=[ran.cpu for ran in runs],
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
    if not size.quick:
        yield from _our_own()
    yield _speed()


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


def _our_own() -> Iterator[Measure]:
    """Its messages, models, logs and guides are what a synthetic catalog lacks."""
    with tempfile.TemporaryDirectory() as folder:
        ran = python("-m", "docsite", "build", "--out", folder)
        pages = sum(1 for _ in Path(folder, "site").rglob("index.html"))
        note = f"{len(load_catalog(CATALOG).cases)} cases, {pages} pages of any kind"
        site = _megabytes(Path(folder, "site"))
    yield Measure(what="processor time, our own site", unit="s", samples=[ran.cpu], note=note)
    yield Measure(what="size of our own site", unit="MB", samples=[site], note=note)


def _speed() -> Measure:
    """What tells machines apart that share a name: their speed differs by the hour."""
    loop = "for i in range(3_000_000): pass"
    samples = [python("-c", loop).cpu - python("-c", "").cpu for _ in range(3)]
    return Measure(what="processor time, an empty loop of 3,000,000", unit="s", samples=samples)


def _megabytes(folder: Path, for_agents: bool = True) -> float:
    """The bytes of all files below a folder, in millions, with or without those for agents."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return sum(f.stat().st_size for f in files if for_agents or not _is_for_agents(f)) / 1e6


def _is_for_agents(file: Path) -> bool:
    return file.suffix in (".md", ".zip") or file.name in ("catalog.json", "llms.txt")
