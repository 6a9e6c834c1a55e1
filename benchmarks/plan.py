"""What a catalog too large for one machine would cost, computed from the committed evidence."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cluster import PER_ARM, WORKERS
from benchmarks.measures import Measure
from benchmarks.results import load
from benchmarks.size import Size
from benchmarks.workers import CATALOG
from validators.catalog import Catalog, load_catalog
from validators.evidence import Record, load_evidence
from validators.verdicts import DECIDED

TITLE = "The plan for 2,000 cases, 12 releases and 4 devices"
CASES, RELEASES, GPUS = 2000, 12, 3
_HOUR = 3600


def run(size: Size) -> Iterator[Measure]:
    """Take the means of the records that were decided; nothing runs."""
    catalog, decided = load_catalog(CATALOG), _decided()
    arms = hours = 0.0
    for device, name, count in (("cpu", "the CPU", 1), ("cuda", "a GPU", GPUS)):
        runs = CASES * RELEASES * count * _share(catalog, device)
        columns = decided[device]
        known = [it.cpu_seconds for column in columns.values() for it in column]
        fresh = sum(it.isolation == "fresh" for column in columns.values() for it in column)
        yield Measure(
            what=f"processor time of a case on {name}",
            unit="s",
            samples=[statistics.mean(it.cpu_seconds for it in all_) for all_ in columns.values()],
            note=f"both arms, the mean of each column; {len(known)} records, in whole seconds, "
            f"{fresh} of them of fresh interpreters; witnesses not counted",
        )
        time = runs * statistics.mean(known) / _HOUR
        yield Measure(
            what=f"{CASES} cases, {RELEASES} releases, {name if count == 1 else f'{count} GPUs'}",
            unit="core hours",
            samples=[time],
            note=f"{runs:.0f} cases have a meaning there"
            + ("; arms hold their share of a GPU about as long" if device == "cuda" else ""),
        )
        arms, hours = arms + 2 * runs, hours + time
    added = _per_arm() * arms / _HOUR
    yield Measure(
        what="what runner and cluster add, at most",
        unit="core hours",
        samples=[added],
        note=f"{arms:.0f} arms",
    )
    yield Measure(
        what=f"the whole plan on {WORKERS} workers, each with a core",
        unit="hours",
        samples=[(hours + added) / WORKERS],
        note=f"{hours + added:.0f} core hours",
    )


def _decided() -> dict[str, dict[str, list[Record]]]:
    """The decided records, by device and column."""
    found: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for (_, column), record in sorted(load_evidence(CATALOG.parent / "evidence").items()):
        if record.verdict in DECIDED:
            found[record.fingerprint.device][column].append(record)
    return found


def _share(catalog: Catalog, device: str) -> float:
    """The share of cases that have a meaning on a device."""
    live = [case for case in catalog.cases if not case.retired]
    return sum(device in case.meta.devices for case in live) / len(live)


def _per_arm() -> float:
    """The seconds that the cluster's benchmark found for each arm; 0 if it never ran."""
    result = load(Path(__file__).parent / "results.json").get("cluster")
    measures = result.measures if result else []
    return sum(it.median / 1000 for it in measures if it.what == PER_ARM)
