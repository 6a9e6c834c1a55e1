"""`patch` as a user runs it."""

from __future__ import annotations

import importlib
import json
import sys

import pytest
from click.testing import CliRunner

from tests.commands import call
from tests.validators.diagnose.measured import report
from validators.cli import main
from validators.cli.model.patch import patch_command
from validators.patch import run

MODEL = '''"""A model with three troubles and a trap."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.calls = 0  # how often

    def forward(self, x, at):
        self.calls += 1
        # Large inputs are damped.
        if x.abs().max() > 10:
            x = x / 2  # by half
        rows = x
        if x.square().sum() > 0:
            rows = x.sum(1, keepdim=True)
        first = at.item()
        return self.layer(x)[:, first] * self.calls + rows.sum()


def example():
    torch.manual_seed(0)
    return Net(), [(torch.randn(3, 4) * 9, torch.tensor(2))]
'''
FIXED = {
    "        self.calls = 0  # how often": "        self.register_buffer("
    '"calls", torch.tensor(0), persistent=False)  # how often',
    "self.calls += 1": "self.calls = self.calls + 1",
    "        if x.abs().max() > 10:\n            x = x / 2  # by half": "        # by half\n"
    "        x = torch.where(x.abs().max() > 10, x / 2, x)",
    "at.item()": "at.reshape(1).clone()",
    "[:, first]": "[:, first].squeeze(1)",
}


@pytest.mark.slow
def test_what_is_verified_is_written_and_what_changes_results_is_not(
    tmp_path, diagnosing, monkeypatch
):
    """Formatting and comments survive; the file of before is kept."""
    (tmp_path / "model.py").write_text(MODEL)
    # A rule that takes all sides to have one shape.
    branches = importlib.import_module("validators.patch.rules.branches")
    monkeypatch.setattr(branches, "shaped_like", lambda node: {"x"})
    options = ("model.py:example", "--backend", "eager", "--write", "--json")
    done = call(main, "patch", *options, cwd=tmp_path)
    assert done.returncode == 1, done.stderr + done.stdout
    found = json.loads(done.stdout)
    rules = [it["rule"] for it in found["changes"] if not it["refused"]]
    assert sorted(rules) == ["branches", "counters", "indices"], found["changes"]
    (wrong,) = [it for it in found["changes"] if it["refused"]]
    assert wrong["place"]["code"] == "if x.square().sum() > 0:"
    assert any("it computes something else" in it for it in wrong["refused"]), wrong
    assert found["together"]["after"]["breaks"] < found["together"]["before"]["breaks"]
    wanted = MODEL
    for old, new in FIXED.items():
        assert wanted.count(old) == 1
        wanted = wanted.replace(old, new)
    assert (tmp_path / "model.py").read_text() == wanted
    assert (tmp_path / "model.py.orig").read_text() == MODEL
    assert f"-{' ' * 8}first = at.item()" in found["diff"]
    assert str(tmp_path) not in done.stdout


def test_nothing_is_written_where_nothing_is_to_do(tmp_path, monkeypatch):
    """And the file of before is not made."""
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "diagnosed_by", lambda *_: report())
    command = ["model.py:example", "--write", "--python", sys.executable]
    done = CliRunner().invoke(patch_command, command, standalone_mode=False)
    assert done.return_value == 0, done.output
    assert done.stdout == "Nothing here has a mechanical fix.\n"
    assert [it.name for it in tmp_path.glob("model*")] == ["model.py"]
