"""Every arm shows what it is known to show, here and on every torch that is named."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.validators.probes import situations

PYTHONS = [p for p in os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep) if p]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in situations.SLOW else ())
        for name in situations.ARMS
    ],
)
def test_shows_what_it_is_known_to_show(name: str) -> None:
    """An arm's report and audit hold what the arm was written to produce."""
    assert situations.run(name) == _expected(name)


def test_compiling_nothing_shows_as_no_execution() -> None:
    """A Sequential that `compile()` leaves alone has calls without compiled executions."""
    report = situations.sequential_is_compiled()
    assert report.exception is None
    assert len(report.calls) == 1
    assert report.calls[0].executions == len(report.graphs) == report.calls[0].compiled
    assert report.eager_calls == (() if report.graphs else (0,))


def test_compiling_nothing_is_what_a_release_does() -> None:
    """Torch 2.13 compiles no Sequential in place; without that, the test above is vacuous."""
    import torch

    release = tuple(map(int, torch.__version__.split(".")[:2]))
    executions = situations.sequential_is_compiled().calls[0].executions
    if release <= (2, 13):
        assert executions == 0
    if release >= (2, 15):
        assert executions == 1


@pytest.mark.matrix
@pytest.mark.parametrize("python", PYTHONS or [None])
def test_every_torch_shows_the_same(python: str | None) -> None:
    """Each interpreter in CASEBOOK_PYTHONS shows what this one does; it needs torch only."""
    if python is None:
        pytest.skip("CASEBOOK_PYTHONS names no interpreter; list some, separated as in PATH.")
    names = [name for name in situations.ARMS if name not in situations.SLOW]
    shown = _run(python, names)
    assert shown["shown"].pop("sequential_is_compiled") == int(
        tuple(map(int, shown["torch"].split(".")[:2])) >= (2, 15)
    ), shown["torch"]
    assert shown["shown"] == {name: _expected(name) for name in names}, shown["torch"]


@pytest.mark.matrix
@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS or [None])
def test_every_torch_shows_the_same_with_inductor(python: str | None) -> None:
    """Caches, mutation and skipped CUDA graphs look the same through Inductor everywhere."""
    if python is None:
        pytest.skip("CASEBOOK_PYTHONS names no interpreter; list some, separated as in PATH.")
    shown = _run(python, sorted(situations.SLOW))
    del shown["shown"]["sequential_is_compiled"]
    assert shown["shown"] == {name: _expected(name) for name in situations.SLOW}, shown["torch"]


def _expected(name: str) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads(json.dumps(situations.EXPECTED[name]))
    return expected


def _run(python: str, names: list[str]) -> dict[str, Any]:
    done = subprocess.run(
        [python, str(Path(situations.__file__)), *names],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    shown: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return shown
