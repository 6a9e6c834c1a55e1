"""What Ray adds to the arms themselves: sleeping arms on several workers of this machine."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.commands import call
from benchmarks.small_cases import SLEEPING, write_small_cases

WORKERS = 8


@pytest.mark.benchmark(group="cluster, wall time")
def test_cluster(benchmark: BenchmarkFixture, pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """Decide cases whose arms take as long as real ones and need no core."""
    choice = random.Random(0)
    pairs = [
        (round(choice.uniform(0.2, 2), 2), round(choice.uniform(0.2, 2), 2))
        for _ in range(pytestconfig.getoption("arms") // 2)
    ]
    catalog = write_small_cases(tmp_path, [SLEEPING.format(*pair) for pair in pairs])
    command = ("run-all", "--device", "cpu", "--witnesses", "none", "--engine", "ray")
    benchmark.pedantic(call, ("validators", *command, "-j", WORKERS, "--catalog", catalog))
    ideal = sum(map(sum, pairs)) / WORKERS
    benchmark.extra_info["arms"] = 2 * len(pairs)
    benchmark.extra_info["times the ideal"] = round(benchmark.stats["median"] / ideal, 2)
