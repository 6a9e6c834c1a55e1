"""The scripts of the skills that run code, on this torch."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from validators.files import ROOT

pytestmark = pytest.mark.slow
MODEL = """
import torch

class Rotary(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x + 1
        return x.sin()

class Fixed(torch.nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x + 1, x).sin()

class Wrong(torch.nn.Module):
    def forward(self, x):
        return (x + 1).sin()

def calls():
    return [(torch.ones(4, 2),), (-torch.ones(4, 2),)]

def before():
    return Rotary(), calls()

def after():
    return Fixed(), calls()

def wrong():
    return Wrong(), calls()
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[int, Any]]:
    """Runs the program of a copied skill beside a model; its exit status and its answer."""
    folder = tmp_path_factory.mktemp("skill")
    source = ROOT / "skills" / "torch-compile-optimize" / "scripts"
    scripts = Path(shutil.copytree(source, folder / "scripts"))
    (folder / "model.py").write_text(MODEL)

    def run(*arguments: str) -> tuple[int, Any]:
        # The script finds no packages; the interpreter that it asks has torch.
        command = [sys.executable, "-I", "-S", str(scripts / "casebook.py"), *arguments]
        command += ["--python", sys.executable]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    return run


def test_a_break_is_explained(run):
    """With the user's line and the case."""
    status, told = run("diagnose", "model.py:before", "--quick")
    assert status == 1
    broken = next(it for it in told["findings"] if it["kind"] == "graph_break")
    assert broken["place"]["code"] == "if x.sum() > 0:"
    assert broken["explanation"]["case"] == "tensor_dependent_if_in_rotary"


def test_a_fix_is_verified_and_a_wrong_one_refused(run):
    """As `verify-fix` does."""
    fixed = run("verify-fix", "model.py:before", "model.py:after", "--backend", "eager")
    assert (fixed[0], fixed[1]["verdict"]) == (0, "verified")
    wrong = run("verify-fix", "model.py:before", "model.py:wrong", "--backend", "eager")
    assert (wrong[0], wrong[1]["verdict"]) == (1, "refused")
    assert "computes something else" in wrong[1]["refused"][0]
