"""Every arm shows what it is known to show, here and on every torch that is named."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch

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
    expected = situations.expected_on(name, situations.release_of(torch.__version__))
    if expected is None:
        pytest.skip("This torch has not what the arm needs.")
    assert _as_far_as(expected, situations.run(name)) == expected


def test_compiling_nothing_shows_as_no_execution() -> None:
    """A Sequential that `compile()` leaves alone has calls without compiled executions."""
    report = situations.sequential_is_compiled()
    assert report.exception is None
    assert len(report.calls) == 1
    assert report.calls[0].executions == len(report.graphs) == report.calls[0].compiled
    assert report.eager_calls == (() if report.graphs else (0,))


def test_compiling_nothing_is_what_a_release_does() -> None:
    """Torch 2.13 compiles no Sequential in place; without that, the test above is vacuous."""
    release = situations.release_of(torch.__version__)
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
    shown, release = _run(python, names)
    assert shown.pop("sequential_is_compiled") == int(release >= (2, 15)), release
    _compare(shown, release, names)


@pytest.mark.matrix
@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS or [None])
def test_every_torch_shows_the_same_with_inductor(python: str | None) -> None:
    """Caches, mutation and skipped CUDA graphs look the same through Inductor everywhere."""
    if python is None:
        pytest.skip("CASEBOOK_PYTHONS names no interpreter; list some, separated as in PATH.")
    shown, release = _run(python, sorted(situations.SLOW))
    del shown["sequential_is_compiled"]
    _compare(shown, release, sorted(situations.SLOW))


def _compare(shown: dict[str, Any], release: tuple[int, int], names: list[str]) -> None:
    """See that each named arm showed what it is known to show on a release that can run it."""
    expected = {name: situations.expected_on(name, release) for name in names}
    can_run = {name: item for name, item in expected.items() if item is not None}
    assert len(can_run) > len(names) * 0.8
    assert {name: _as_far_as(can_run[name], shown[name]) for name in shown} == can_run, release


def _as_far_as(expected: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    return {key: shown[key] for key in expected}


def _run(python: str, names: list[str]) -> tuple[dict[str, Any], tuple[int, int]]:
    done = subprocess.run(
        [python, str(Path(situations.__file__)), *names],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    shown: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return shown["shown"], situations.release_of(shown["torch"])
