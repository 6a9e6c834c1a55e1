"""How long a run still takes."""

from __future__ import annotations

import dataclasses

import pytest

from validators.catalog import load_catalog
from validators.environment import Environment
from validators.runner.estimate import TimeLeft, in_words
from validators.runner.plan import Job


@pytest.fixture
def run(tmp_path, write_case, make_record):
    """The jobs of four cases, the evidence of three that took 10, 20 and 30 s, and a clock."""
    for name in ("a", "b", "c", "unknown"):
        write_case(tmp_path, "guards", name)
    catalog = load_catalog(tmp_path)
    env = Environment("python", make_record("a").fingerprint, frozenset())
    jobs = [Job(case, env) for case in catalog.cases]
    records = [
        make_record("a", cpu_seconds=10),
        make_record("a", torch="2.15.0", cpu_seconds=99),
        make_record("b", cpu_seconds=20),
        make_record("c", torch="2.15.0", cpu_seconds=30),
    ]
    now = [0.0]
    return jobs, {(r.case, r.column): r for r in records}, now


def test_at_first_the_evidence_says_how_long(run):
    """Of its own column or else of another; what no column has counts as the mean."""
    jobs, evidence, now = run
    left = TimeLeft(jobs, evidence, width=2, clock=lambda: now[0])
    assert left.seconds() == pytest.approx((10 + 20 + 30 + 20) * 2.0 / 2)


def test_then_the_pace_of_the_run_says_it(run):
    """A machine that is four times slower takes longer for the rest, and starting up is no pace."""
    jobs, evidence, now = run
    left = TimeLeft(jobs, evidence, width=2, clock=lambda: now[0])
    now[0] = 60.0
    left.note(jobs[0])
    assert left.seconds() == pytest.approx(70)
    now[0] += 120.0
    left.note(jobs[2])
    assert left.seconds() == pytest.approx((120 + 30) / (30 + 30) * (20 + 20))
    left.note(jobs[1])
    left.note(jobs[3])
    assert left.seconds() == 0.0


def test_what_is_skipped_says_nothing_about_the_pace(run):
    """It takes no time, and is decided while interpreters start."""
    jobs, evidence, now = run
    skipped = dataclasses.replace(jobs[3], unmet="the package triton")
    left = TimeLeft([*jobs[:3], skipped], evidence, width=2, clock=lambda: now[0])
    left.note(skipped)
    assert not left.begun
    now[0] = 60.0
    assert left.seconds() == pytest.approx(60.0)


def test_a_budget_ends_the_run(run):
    """It is counted from the start."""
    jobs, evidence, now = run
    left = TimeLeft(jobs, evidence, 1, budget=50.0, clock=lambda: now[0])
    assert left.seconds() == 50.0
    now[0] = 45.0
    assert left.seconds() == 5.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "5 s"), (42, "40 s"), (100, "2 min"), (1500, "25 min"), (9000, "2.5 h")],
)
def test_a_span_is_rough(seconds, words):
    """Nobody can tell the seconds of a quarter of an hour."""
    assert in_words(seconds) == words
