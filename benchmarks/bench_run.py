"""The cost of deciding small cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.commands import call, cpu_seconds
from benchmarks.small_cases import OBSERVING, write_small_cases


@pytest.mark.benchmark(group="run, processor time", timer=cpu_seconds)
@pytest.mark.parametrize(
    ("backend", "options"),
    [
        ("eager", []),
        ("eager", ["--force"]),
        ("inductor", ["--force"]),
        ("eager", ["--force", "--isolation", "fresh"]),
    ],
    ids=["nothing changed", "traced", "with a kernel", "in fresh interpreters"],
)
def test_run(
    benchmark: BenchmarkFixture,
    pytestconfig: pytest.Config,
    tmp_path: Path,
    backend: str,
    options: list[str],
) -> None:
    """Decide all cases, after they were decided once."""
    count = pytestconfig.getoption("decided")
    catalog = write_small_cases(tmp_path, [OBSERVING.format(backend=backend)] * count)
    command = ("run-all", "--device", "cpu", "-j", 2, "--witnesses", "none", "--catalog", catalog)
    call("validators", *command)
    benchmark.pedantic(
        call, ("validators", *command, *options), rounds=pytestconfig.getoption("rounds")
    )
    benchmark.extra_info["cases"] = count
