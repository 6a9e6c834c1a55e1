"""What a run says of the CPU seconds of its cases."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.cli.decide.results import output_of, over_budget
from validators.cli.decide.summary import summarize
from validators.cli.output import RunOutput
from validators.environment import Environment
from validators.runner.decide import Decision
from validators.runner.plan import Job, Plan
from validators.runner.run import Decided


@pytest.fixture
def output(tmp_path, write_case, make_record):
    """A function that makes the output of a run whose cases took so many CPU seconds each."""

    def make(
        *seconds: float, tolerance: float | None = None, columns: int = 1, **fields
    ) -> RunOutput:
        for index, _ in enumerate(seconds):
            cost = {"cpu_seconds": 25, "why": "It trains."} if index == 0 else None
            write_case(tmp_path, "guards", f"case_{index}", **({"cost": cost} if cost else {}))
        catalog = load_catalog(tmp_path)
        decided = []
        for case, taken in zip(catalog.cases, seconds, strict=True):
            record = make_record(case, **fields)
            job = Job(case, Environment("python", record.fingerprint, frozenset()))
            costs = {"arms_cpu_seconds": taken, "witnesses_cpu_seconds": 2 * taken}
            decided.append(Decided(job, Decision(record, cpu_seconds=taken, **costs)))
        plan = Plan(tuple(event.job for event in decided), ())
        environments = [job.env for job in plan.jobs[:columns]]
        return output_of(catalog, plan, decided, {}, environments, 400.0, tolerance)

    return make


def test_the_cases_over_their_budget_are_listed_the_worst_first(output, capsys):
    """A page that asks for more has more, and the run itself does not fail."""
    made = output(24.0, 10.5, 3.0, 99.0)
    assert [result.case for result in over_budget(made.results)] == ["case_3", "case_1"]
    assert made.exit_status == 0
    summarize(made, costs=True)
    said = capsys.readouterr().out
    assert "over budget: case_3 (torch-2.13.0-cpu) took 99.0 CPU seconds of 10\n" in said
    assert "case_0" not in said


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (1, "2 claims decided on torch-2.13.0-cpu: 2 confirmed.\n"),
        (2, "2 verdicts decided on torch-2.13.0-cpu, torch-2.13.0-cpu: 2 confirmed.\n"),
    ],
)
def test_costs_are_told_only_where_they_are_enforced(output, capsys, columns, said):
    """Elsewhere they say more of the machine than of the cases. Each column has its verdict."""
    summarize(output(99.0, 10.0, columns=columns))
    assert capsys.readouterr().out == said


def test_the_total_is_told_apart(output, capsys):
    """Arms, witnesses, and what neither is."""
    summarize(output(20.0, 10.0), costs=True)
    said = (
        "400 CPU seconds: 30 in arms, 60 in witnesses, 310 in starting interpreters and the rest\n"
    )
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(("taken", "status"), [(19.0, 0), (21.0, 1)])
def test_a_budget_that_is_enforced_fails_beyond_the_tolerance(output, taken, status):
    """Cores differ, so only so many times the budget is too much."""
    assert output(0.0, taken, tolerance=2.0).exit_status == status


def test_a_gpus_column_has_no_budget(output):
    """Starting CUDA alone takes seconds of the CPU."""
    assert over_budget(output(0.0, 99.0, column="torch-2.13.0-h200").results) == []


def test_the_commonest_reasons_are_told(output, capsys):
    """An old release lacks many things; three lines end a run, however many these are."""
    made = output(*[1.0] * 8, verdict="skipped")
    for result, lacked in zip(made.results, "aaabbcde", strict=True):
        result.reason = f"needs {lacked}"
    summarize(made)
    said = capsys.readouterr().out
    told = "3 need a, 2 need b, 1 needs c, 2 for other reasons"
    assert f"8 not decided: {told}.\n" in said
