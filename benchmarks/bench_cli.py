"""The start of commands that only look, on the casebook's own catalog."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.commands import call, cpu_seconds

LOG = "skipping cudagraphs due to mutated inputs (1 instances)"


@pytest.mark.benchmark(group="cli, processor time", timer=cpu_seconds)
@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["list"], ["status"], ["show", "compile_modes"], ["match", LOG]],
    ids=lambda arguments: arguments[0],
)
def test_cli(
    benchmark: BenchmarkFixture, pytestconfig: pytest.Config, arguments: list[str]
) -> None:
    """Run a command; the first time fills the disk's cache."""
    rounds = pytestconfig.getoption("rounds")
    benchmark.pedantic(call, ("validators", *arguments), rounds=rounds, warmup_rounds=1)
