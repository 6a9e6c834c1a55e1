"""Silent errors are found by words, and shown with their program."""

from __future__ import annotations

import json

import pytest

from tests.commands import call
from validators.cli import main
from validators.files import ROOT

ASKED = "argmin gives the place in memory after a transpose"


def test_a_question_about_a_wrong_result_finds_its_program():
    """With the releases that a program saw."""
    done = call(main, "match", "--json", ASKED, cwd=ROOT)
    matches = json.loads(done.stdout)["matches"]
    assert matches[0]["case"].startswith("silent:argmin_")
    assert matches[0]["summary"].startswith("Wrong without a message on torch 2.4.1")
    found = {it["case"]: it["fix"] for it in matches[:2]}
    assert found["silent:argmin_of_transposed_sum"] == "Take `argmin` of the flattened tensor."


def test_the_program_is_shown():
    """Below what avoids it, and where it is wrong and right."""
    done = call(main, "show", "silent:argmin_of_transposed_sum", cwd=ROOT)
    assert "fix: Take `argmin` of the flattened tensor." in done.stdout
    assert "def instead(x):" in done.stdout
    done = call(main, "show", "silent:argmin_of_transposed_sum", "--json", cwd=ROOT)
    assert json.loads(done.stdout)["verdicts"]["torch-2.13.0-cpu"] == "wrong"


@pytest.mark.parametrize("name", ["silent:", "silent:nothing_of_the_kind"])
def test_an_unknown_program_is_one_sentence(name):
    """It says how to find one."""
    done = call(main, "show", name, cwd=ROOT)
    assert done.returncode == 2
    assert "`match` finds programs by what is wrong" in done.stderr
    assert done.stderr.count("\n") == 1
