"""The workflow of the guide runs as it is written, and fails for a model that got worse."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from validators.files import ROOT

GUIDE = (ROOT / "playbooks" / "guides" / "guard-compile-health.md").read_text(encoding="utf-8")
MODEL = """import torch

def forward(x):
    {}
    return x * 2

def example():
    return forward, [(torch.ones(4),)]
"""


def fences(language: str) -> list[str]:
    """The fenced blocks of the guide."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def steps() -> dict[str, str]:
    """The commands of the workflow, by name."""
    (job,) = yaml.safe_load(fences("yaml")[0])["jobs"].values()
    return {it["name"]: it["run"] for it in job["steps"] if "run" in it}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A step as a code host runs it, with this interpreter as `python`."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
    )


def test_the_steps_name_files_that_earlier_ones_write(steps):
    """The baseline of the guide, and the folder of the step before."""
    assert list(steps) == ["Install", "Diagnose", "Compare"]
    assert fences("bash")[0].strip().endswith("> baseline.json")
    assert " baseline.json diagnosis/report.json " in steps["Compare"]
    assert "--out diagnosis" in steps["Diagnose"]


@pytest.mark.slow
def test_a_model_that_got_worse_fails(steps, tmp_path):
    """At the step that compares; a model that stays as it is passes."""
    model = tmp_path / "model.py"
    model.write_text(MODEL.format("x = x + 1"))
    baseline = run(fences("bash")[0], tmp_path)
    assert baseline.returncode == 0, baseline.stderr
    (tmp_path / "diagnosis").mkdir()
    shutil.copy(tmp_path / "baseline.json", tmp_path / "diagnosis" / "report.json")
    same = run(steps["Compare"], tmp_path)
    assert same.returncode == 0, same.stdout + same.stderr

    model.write_text(MODEL.format("if x.sum() > 0: x = x + 1"))
    diagnosed = run(steps["Diagnose"], tmp_path)
    assert diagnosed.returncode == 0, diagnosed.stderr
    assert (tmp_path / "diagnosis" / "report.sarif").exists()
    page = (tmp_path / "diagnosis" / "report.html").read_text(encoding="utf-8")
    assert "model.py:4" in page
    assert "casebook diagnose model.py:example --quick --out diagnosis<" in page
    worse = run(steps["Compare"], tmp_path)
    assert worse.returncode == 1, worse.stderr
    assert "Worse: graph-breaks" in worse.stdout
