"""`eval`: what can be asked without an agent, and how wrong usage is answered."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from tests.schemas import valid
from validators.cli.maintain import eval as command
from validators.cli.maintain.eval import eval_command
from validators.errors import CasebookError
from validators.evals.grader import Grade
from validators.evals.results import Attempt
from validators.evals.run import keep
from validators.files import ROOT


def call(*args):
    """What the command prints, and its result."""
    done = CliRunner().invoke(eval_command, args, standalone_mode=False)
    if done.exception:
        raise done.exception
    return done.output, done.return_value


def test_triggers():
    """The baseline has a row for each skill."""
    said, status = call("--triggers")
    assert status == 0
    assert "| torch-compile-latency |" in said


def test_a_summary_as_json(tmp_path):
    """The tables' figures, for programs."""
    file = tmp_path / "results.jsonl"
    for arm, outcome in (("with", "solved"), ("without", "failed")):
        keep(
            Attempt(
                task="t",
                set="unseen",
                skills=["a"],
                arm=arm,
                number=0,
                agent="x",
                torch="2.13.0",
                pack="p" if arm == "with" else "",
                outcome=outcome,
                status=0,
                seconds=2.0,
            ),
            file,
        )
    said, status = call("--summarize", str(file), "--json")
    found = valid("eval", said)
    assert (status, found["packs"], found["difference"]["mean"]) == (0, ["p"], 1.0)
    assert found["tasks"][0]["with"] == {"solved": 1, "tries": 1}
    assert [it["share"] for it in found["rows"]] == [1.0, 0.0]


def test_a_summary_of_nothing_as_json(tmp_path):
    """It is valid, too."""
    file = tmp_path / "results.jsonl"
    file.write_text("")
    assert valid("eval", call("--summarize", str(file), "--json")[0])["difference"] is None


@pytest.mark.parametrize("reasons", [[], ["it has 2 breaks"]])
def test_a_grade_as_json(tmp_path, monkeypatch, reasons):
    """Why it fails; the exit status is as without --json."""
    monkeypatch.setattr(command, "graded", lambda *_: [Grade(reasons, ["breaks: 0, were 2"])])
    task = ("--task", "slower-every-step", "--python", sys.executable)
    said, status = call("--grade", str(tmp_path), *task, "--json")
    found = valid("eval_grade", said)
    assert (found["task"], found["reasons"]) == ("slower-every-step", reasons)
    assert (found["passed"], status) == (not reasons, int(bool(reasons)))


def test_a_grade_of_a_patch(monkeypatch):
    """The grader gets a copy of the task's repository with the change."""
    texts = []

    def grade(_task, folders, _env):
        texts.extend(it.joinpath("tideline/model.py").read_text() for it in folders)
        return [Grade([], ["recompiles: 1, were 7"])]

    monkeypatch.setattr(command, "graded", grade)
    patch = ROOT / "evals/tasks/slower-every-step/hidden/reference.patch"
    task = ("--task", "slower-every-step", "--python", sys.executable)
    assert call("--grade", str(patch), *task) == ("passed: recompiles: 1, were 7\n", 0)
    assert [it.count('register_buffer("calls"') for it in texts] == [1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "--python: is missing"),
        (("--task", "x"), "x: is not a task"),
        (("--arms", "with,twice", "--agent", "a", "--python", "PYTHON"), "twice is no arm"),
        (("--python", "PYTHON"), "--agent: is missing"),
        (("--grade", ".", "--python", "PYTHON"), "needs one task"),
        (("--summarize", "no.jsonl"), "no.jsonl: is missing"),
        (("--triggers", "--json"), "--json: does not go with --triggers"),
    ],
)
def test_wrong_usage(args, said):
    """One sentence, before anything runs."""
    with pytest.raises(CasebookError, match=said):
        call(*[sys.executable if it == "PYTHON" else it for it in args])
