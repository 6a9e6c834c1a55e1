"""`scan` as a user runs it."""

from __future__ import annotations

import pytest

from tests.commands import call
from tests.schemas import valid
from validators.cli import main

MODEL = """
import torch

class Pool(torch.nn.Module):
    def forward(self, x):
        y = torch.nn.functional.avg_pool1d(torch.relu(x) * 3, 3, 3, ceil_mode={ceil})
        return torch.exp(-y).sum(-1)

def example():
    return Pool(), [(torch.linspace(0.1, 0.8, 8).reshape(1, 1, 8).requires_grad_(),)]
"""


@pytest.fixture
def scan(tmp_path):
    """Runs the command on a model with or without a wrong op."""

    def run(*arguments, ceil=True):
        (tmp_path / "pool.py").write_text(MODEL.format(ceil=ceil), encoding="utf-8")
        done = call(main, "scan", "pool.py:example", *arguments, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done

    return run


def test_what_is_wrong_is_told(scan):
    """The line, the op, what differs, and what is known of it; exit status 1."""
    done = scan()
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("pool.py:6: y = torch.nn.functional.avg_pool1d(")
    assert lines[1] == (
        "   avg_pool1d: wrong where only this is compiled;"
        " call 1: the gradient of argument 0 is not eager mode's"
    )
    assert lines[2].startswith("   known: avg_pool_ceil_gradient (code generation): ")
    assert lines[3].startswith("      wrong on torch 2.4.1 to ")
    assert lines[-1].startswith("pool.py:example: 1 silent error (")


def test_json_fits_its_schema(scan):
    """It has what the lines have."""
    (wrong,) = valid("scan", scan("--json").stdout)["wrong"]
    assert (wrong["ops"], wrong["place"], wrong["call"]) == (["avg_pool1d"], "pool.py:6", 1)
    assert wrong["known"][0]["name"] == "avg_pool_ceil_gradient"


def test_what_is_right_is_not_told(scan):
    """Exit status 0."""
    done = scan(ceil=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("pool.py:example: 0 silent errors (")


def test_a_target_that_is_not_there(scan):
    """One sentence; exit status 2."""
    done = scan("--python", "nowhere/python")
    assert done.returncode == 2
    assert "nowhere/python" in done.stderr
