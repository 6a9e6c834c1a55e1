"""The table of a run's surprises."""

from __future__ import annotations

import dataclasses

import pytest

from validators.cli.decide.results import compare_with_cpu
from validators.cli.decide.surprises import print_surprises
from validators.cli.output import CpuOutput, EnvironmentOutput, ResultOutput, RunOutput


def result(case: str, verdict: str = "confirmed", **fields) -> ResultOutput:
    """A result of a run on a GPU."""
    values = {"reason": "", "agreement": "agrees", "difference": "", "seconds": 1.0}
    values |= {"column": "torch-2.11.0-h100", "current": False, "cpu_budget": 10, **fields}
    return ResultOutput(case=case, verdict=verdict, **values)


@pytest.fixture
def output(make_record):
    """A function that makes the output of a run on a GPU."""

    def make(*results: ResultOutput) -> RunOutput:
        mark = dataclasses.replace(make_record("any").fingerprint, device="cuda")
        return RunOutput(
            environments=[EnvironmentOutput(column="", python="", fingerprint=mark)],
            results=list(results),
            totals={},
            not_reached=0,
            recorded=[],
            problems=[],
            cpu=CpuOutput(total=0.0, arms=0.0, witnesses=0.0),
            exit_status=0,
        )

    return make


def test_what_differs_from_the_catalog_or_the_cpu_is_a_surprise(output, make_record, capsys):
    """A case is listed with every reason, and what is as expected is not."""
    evidence = {
        (case, "torch-2.13.0-cpu"): make_record(case, verdict=verdict)
        for case, verdict in {"same": "confirmed", "other": "refuted", "undecided": "error"}.items()
    }
    results = [
        result("same"),
        result("other", agreement="disagrees", difference="`holds` expects it"),
        result("undecided"),
        result("skipped_here", "skipped"),
    ]
    compare_with_cpu(results, evidence)
    print_surprises(output(*results))
    table = capsys.readouterr().out
    assert "`holds` expects it; refuted on torch-2.13.0-cpu" in table
    for name in ("same", "undecided", "skipped_here"):
        assert name not in table


def test_another_release_is_a_surprise_only_without_the_same_one(output, capsys):
    """Releases differ, which is no news about a GPU."""
    older = {"torch-2.9.1-cpu": "refuted"}
    alike = result("alike", on_cpu={**older, "torch-2.11.0-cpu": "confirmed"})
    print_surprises(output(alike, result("alone", on_cpu=older)))
    table = capsys.readouterr().out
    assert "alone" in table and "alike" not in table


def test_no_surprise_is_said(output, capsys):
    """Silence would leave open whether anything was compared, which takes a CPU's verdicts."""
    print_surprises(output(result("same")))
    assert capsys.readouterr().out == ""
    print_surprises(output(result("same", on_cpu={"torch-2.13.0-cpu": "confirmed"})))
    assert capsys.readouterr().out.startswith("No surprise")
