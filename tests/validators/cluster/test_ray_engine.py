"""Real Ray on this machine: what comes back, what a lost process costs, what a budget leaves."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import pytest

from tests.validators.runner import toy
from validators.cluster.ray_engine import seconds_left
from validators.evidence import Reports, load_records
from validators.files import ROOT

NEIGHBOURS = ("agrees", "raises", "swapped")


@pytest.fixture
def decide(unmeasured):
    """Run a catalog with an engine; return exit status, verdicts, standard error."""
    pytest.importorskip("ray")

    def run(catalog, engine="ray"):
        command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
        options = ["--catalog", str(catalog), "--engine", engine, "-j", "2", "--force"]
        done = subprocess.run(
            [*command, *options], capture_output=True, text=True, cwd=ROOT, env=unmeasured
        )
        results = json.loads(done.stdout)["results"]
        return done.returncode, {it["case"]: it["verdict"] for it in results}, done.stderr

    return run


@pytest.mark.slow
def test_records_are_those_of_a_local_run(tmp_path, decide):
    """Verdicts, digests and fingerprints agree; only times may differ.

    A case is decided even if its memory limit is above what any node has.
    """
    catalog = toy.write_toy(tmp_path, *NEIGHBOURS)
    (page,) = catalog.glob("*/agrees.md")
    page.write_text(page.read_text().replace("severity: low", "severity: low\nmemory: 65536"))
    told, records = [], []
    for engine in ("ray", "local"):
        told.append(decide(catalog, engine)[:2])
        found = [load_records(tmp_path / "build/evidence", name)[0] for name in NEIGHBOURS]
        records.append([_without_times(it) for it in found])
    assert told[0] == told[1]
    assert told[0][1] == {"agrees": "confirmed", "raises": "error", "swapped": "refuted"}
    assert records[0] == records[1]


@pytest.mark.slow
def test_a_lost_process_costs_its_case_alone(tmp_path, decide):
    """The case whose arm kills the process that decides it is named; all others are decided."""
    catalog = toy.write_toy(tmp_path, *NEIGHBOURS, "takes_its_process")
    _, verdicts, error = decide(catalog)
    assert {*NEIGHBOURS} <= verdicts.keys()
    assert "takes_its_process" not in verdicts
    warned = [it for it in error.splitlines() if "takes_its_process: its " in it]
    assert len(warned) == 1 and warned[0].endswith("; run it again")
    assert "Traceback" not in error


def test_a_budget_runs_out(monkeypatch):
    """It is never negative; without one nothing is."""
    now = iter([0.0, 1.0, 9.0])
    monkeypatch.setattr("validators.cluster.ray_engine.time.monotonic", lambda: next(now))
    left = seconds_left(5)
    assert [next(left), next(left)] == [4.0, 0.0]
    assert next(seconds_left(None)) is None


def _without_times(record):
    reports = {arm: {} for arm in ("symptom", "remedy")}
    return msgspec.structs.replace(record, cpu_seconds=0, reports=Reports(**reports))
