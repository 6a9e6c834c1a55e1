"""How a plan is divided, what is said where an engine is missing, and what a budget leaves."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from validators.cluster.engine import seconds_left
from validators.cluster.engines import opened
from validators.cluster.slurm_engine import _parts
from validators.errors import CasebookError


def job(exclusive: bool):
    """What `_parts` reads of a job."""
    return SimpleNamespace(case=SimpleNamespace(meta=SimpleNamespace(exclusive=exclusive)))


def test_timed_jobs_are_a_part_of_their_own():
    """The others are dealt out in turn, so that the most useful ones come first everywhere."""
    jobs = [job(number in (1, 4)) for number in range(7)]
    assert [*_parts(jobs, 2)] == [[0, 3, 6], [2, 5], [1, 4]]
    assert [*_parts(jobs[:1], 3)] == [[0]]


@pytest.mark.parametrize(("engine", "module"), [("ray", "ray"), ("slurm", "submitit")])
def test_an_engine_that_is_not_installed(tmp_path, monkeypatch, engine, module):
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, module, None)
    told = f"--engine {engine}: .* is not installed; run `pip"
    with pytest.raises(CasebookError, match=told), opened(engine, tmp_path, tmp_path, 1):
        pass


def test_a_budget_runs_out(monkeypatch):
    """It is never negative; without one nothing is."""
    now = iter([0.0, 1.0, 9.0])
    monkeypatch.setattr("validators.cluster.engine.time.monotonic", lambda: next(now))
    left = seconds_left(5)
    assert [next(left), next(left)] == [4.0, 0.0]
    assert next(seconds_left(None)) is None
