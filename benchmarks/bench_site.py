"""The cost and the size of a site."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.commands import call, cpu_seconds
from benchmarks.copied_cases import CATALOG, write_copies


@pytest.mark.benchmark(group="site, processor time", timer=cpu_seconds)
@pytest.mark.parametrize("which", ["copies", "our own"])
def test_site(
    benchmark: BenchmarkFixture, pytestconfig: pytest.Config, tmp_path: Path, which: str
) -> None:
    """Build the site of copied cases alone, or ours with all that it has beside cases."""
    catalog, out = CATALOG, tmp_path / "out"
    if which == "copies":
        size = {name: pytestconfig.getoption(name) for name in ("cases", "columns")}
        catalog = write_copies(tmp_path, **size)
        benchmark.extra_info.update(size)
    benchmark.pedantic(
        call,
        ("docsite", "build", "--catalog", catalog, "--out", out),
        rounds=pytestconfig.getoption("rounds"),
    )
    written = sum(file.stat().st_size for file in (out / "docs").rglob("*") if file.is_file())
    benchmark.extra_info["MB"] = round(written / 1e6, 2)
