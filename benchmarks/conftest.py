"""The harness, pytest-benchmark; the sizes of what it measures, and what it tells beside times."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest

# The tests do without it: `-p no:benchmark` in pyproject.toml.
pytest_plugins = ("pytest_benchmark.plugin",)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the sizes."""
    group = parser.getgroup("casebook")
    for name, default, meaning in (
        ("rounds", 3, "how often each command is timed"),
        ("decided", 5, "cases that `run` decides"),
        ("cases", 400, "cases of the site"),
        ("columns", 5, "columns of evidence of the site"),
        ("arms", 2000, "arms that `cluster` spreads, two for each case"),
    ):
        group.addoption(f"--{name}", type=int, default=default, metavar="N", help=meaning)


def pytest_benchmark_update_machine_info(machine_info: dict[str, Any]) -> None:
    """Add the release of torch; leave out what names this machine alone, and what is long."""
    machine_info["torch"] = version("torch")
    for name in ("node", "release", "python_build"):
        del machine_info[name]
    machine_info["cpu"].pop("flags", None)


def pytest_benchmark_update_commit_info(commit_info: dict[str, Any]) -> None:
    """Leave out the names of the checkout and of its branch."""
    del commit_info["project"], commit_info["branch"]


@pytest.hookimpl(tryfirst=True)
def pytest_benchmark_group_stats(benchmarks: list[dict[str, Any]]) -> None:
    """Add to the names in the table what was measured beside the time."""
    for measured in benchmarks:
        if not measured["path"]:  # that is, not recorded earlier
            figures = (f"{name} {value}" for name, value in measured["extra_info"].items())
            measured["name"] = ", ".join([measured["name"], *figures])
