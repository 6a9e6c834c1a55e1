"""`eval`: what can be asked without an agent, and how wrong usage is answered."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from validators.cli.eval import eval_command
from validators.errors import CasebookError


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


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "--python: is missing"),
        (("--task", "x"), "x: is no task"),
        (("--arms", "with,twice", "--agent", "a", "--python", "PYTHON"), "twice is no arm"),
        (("--python", "PYTHON"), "--agent: is missing"),
        (("--grade", ".", "--python", "PYTHON"), "needs one task"),
        (("--summarize", "no.jsonl"), "no.jsonl: is missing"),
    ],
)
def test_wrong_usage(args, said):
    """One sentence, before anything runs."""
    with pytest.raises(CasebookError, match=said):
        call(*[sys.executable if it == "PYTHON" else it for it in args])
