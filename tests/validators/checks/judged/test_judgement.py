"""`check --match`: one report, one exit status, and the progress on a terminal."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from tests.commands import call
from validators.cli import main
from validators.files import ROOT

from .conftest import FRAME, LINE, log


@pytest.fixture
def check(judged):
    """Runs `check` on the casebook, whose scores are recorded."""
    judged.logs(log(FRAME, "frame_skipped"), log(LINE, "line_slow", source="a/b#2"))
    judged.write("pasted.yaml", {"sentences": {"frame_skipped": ["frame_skipped"]}})

    def run(*options):
        return call(main, "check", *options, "--catalog", judged.catalog, cwd=ROOT)

    assert "recorded " in run("--match", "--fix").stdout
    return run


def test_what_was_judged_is_said(check):
    """How many, how many right first and among three; nothing about progress."""
    done = check("--match")
    assert done.stderr == ""
    *_, tuning, aside, pasted, last = done.stdout.splitlines()
    assert tuning == (
        "logs, tuning: of 2 with a case 2 right first, 2 among three; 0 of 0 others without an"
        " answer"
    )
    assert aside.startswith("logs, aside: of 0 with a case 0 right first")
    assert pasted == "queries, pasted: of 1 1 right first, 1 among three"
    assert last.endswith(", 2 judged logs, 1 judged queries, 0 logs of examples")
    assert "judged" not in check().stdout


def test_a_failure_is_a_problem_of_the_check(judged, check):
    """A wrong case, a line that leads elsewhere, and a score that fell, all in one report."""
    assert "user_logs" not in check("--match").stdout
    judged.logs(log(FRAME, "line_slow"), log(LINE, "line_slow", source="a/b#2"))
    judged.example("line_slow", f"{LINE}\n{FRAME}", torch="2.9.1")
    judged.case("line_slow", signatures=["the frame was"], kind="practice")
    assert "user_logs" not in check().stdout
    done = check("--match")
    assert done.returncode == 2
    assert "judged/user_logs.jsonl:1: a/b#1: frame_skipped (by family) comes first" in done.stdout
    assert "line_slow.md:10: a line that a signature fits leads to frame_skipped" in done.stdout
    assert "match_scores.yaml:6: logs.tuning.first is 1, and 2 is recorded" in done.stdout


def test_json_holds_the_scores_and_the_problems(judged, check):
    """And nothing beside it."""
    judged.logs(log(FRAME, "line_slow"), log(LINE, "line_slow", source="a/b#2"))
    done = check("--match", "--json")
    said = json.loads(done.stdout)
    assert (done.stderr, done.returncode) == ("", 2)
    assert said["scores"]["logs"]["tuning"]["first"] == 1
    assert said["checked"]["judged logs"] == 2
    assert any(it["path"].endswith("user_logs.jsonl") for it in said["problems"])
    assert json.loads(check("--json").stdout)["scores"] is None


@pytest.mark.parametrize(("terminal", "options"), [(True, ()), (False, ()), (True, ("--json",))])
def test_a_terminal_shows_the_progress(check, monkeypatch, terminal, options):
    """A bar for each kind of work, unless JSON is asked for."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal)
    monkeypatch.setattr("validators.cli.progress.Console", lambda stderr: console)
    assert check("--match", *options).returncode == 0
    shown = screen.getvalue()
    works = ("all files", "users' logs", "queries", "what examples print")
    assert [it in shown for it in works] == [terminal and not options] * 4


def test_a_casebook_without_a_judged_set_has_no_problem(judged):
    """It may have none; what its examples print is judged all the same."""
    judged.folder.rmdir()
    judged.example("frame_skipped", FRAME)
    judgement = judged.judge()
    assert judgement.problems == [] and judgement.recorded == []
    assert judgement.judged == {"judged logs": 0, "judged queries": 0, "logs of examples": 1}
    assert judged.judge(fix=True).recorded == []
