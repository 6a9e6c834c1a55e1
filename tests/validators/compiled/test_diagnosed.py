"""`diagnose --arch`: what compiling for a GPU adds to a diagnosis."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from tests.commands import call
from tests.pythons import cuda_build
from tests.validators.compiled.test_told import GRAPH, KERNEL, ONE, SPILLING, found
from validators.cli import main
from validators.compiled import diagnosed
from validators.compiled.diagnosed import of_kernels, with_kernels
from validators.diagnose.findings.finding import Diagnosis, Explanation
from validators.diagnose.report.measured import kernel_lines
from validators.errors import CasebookError
from validators.files import ROOT

SKIP = 'skipping cudagraphs due to mutated inputs. Found from : \\n   File "model.py", line 5, in f'
EXPLAINER: Any = SimpleNamespace(of_text=lambda text, family: Explanation("suspected", family))
CACHED = """import torch


def step(x, cache):
    cache.add_(x)
    return cache * 2


def example():
    return step, [(torch.ones(2, 8), torch.zeros(2, 8))]
"""


def test_a_skip_is_a_finding_at_its_line():
    """With the reason alone as its head."""
    (skip,) = of_kernels(found(skips={SKIP: 2}), EXPLAINER)
    assert skip.what == "skipping cudagraphs due to mutated inputs"
    assert (str(skip.place), skip.count) == ("model.py:5", 2)
    assert skip.explanation.family == "skip"
    assert "never run" in skip.cost


@pytest.mark.parametrize(
    ("configurations", "spilled"), [([SPILLING], 14), ([ONE, SPILLING], 0), ([], 0)]
)
def test_a_kernel_that_surely_spills_is_a_finding(configurations, spilled):
    """Where one of several configurations spills none, a GPU's clock has to choose."""
    graph = {**GRAPH, "kernels": [{**KERNEL, "configurations": configurations}]}
    told = [it.what for it in of_kernels(found(compiled=[graph]), EXPLAINER)]
    assert told == [f"{KERNEL['name']} spills {spilled} words of registers"] * bool(spilled)


def test_what_cannot_be_compiled_costs_one_part(monkeypatch):
    """The rest of the diagnosis stays."""

    def fails(*_: object) -> None:
        raise CasebookError("no")

    monkeypatch.setattr(diagnosed, "compiled_for", fails)
    nothing: Any = None
    known = Diagnosis(
        target="t", torch="2", python="3", column="c", calls=1, trains=False, findings=[], parts=[]
    )
    heard: list[str] = []
    unused = [nothing] * 3
    told = with_kernels(known, *unused, EXPLAINER, lambda it: heard.append(str(it)))
    assert [it.failure for it in told.parts] == ["no"]
    assert heard == ["kernels: no"]


def test_the_report_says_what_was_compiled():
    """In a line, with what is undecided below."""
    compiled = found(skips={SKIP: 1})
    compiled.undecided = ["a clock chooses"]
    line, open_question = kernel_lines(msgspec.to_builtins(compiled))
    assert "1 kernel with 1 launch, 1 library call, at most 24 registers" in line
    assert line.endswith("CUDA graphs would record 0, and skip 1")
    assert open_question == "undecided without a GPU: a clock chooses"


def test_a_recording_is_not_compiled(tmp_path):
    """Its model is not there."""
    (tmp_path / "compile.log").write_text("Graph break\n")
    done = call(main, "diagnose", "compile.log", "--arch", "sm_90", cwd=tmp_path)
    assert done.returncode == 2
    assert "--arch: a recording cannot be compiled; name a model" in done.stderr


@pytest.mark.matrix
@pytest.mark.slow
def test_a_model_is_diagnosed_for_a_gpu(tmp_path):
    """Beside what the CPU says, with the user's line and a case."""
    (tmp_path / "model.py").write_text(CACHED)
    command = [sys.executable, "-m", "validators", "diagnose", "model.py:example", "--quick"]
    command += ["--arch", "sm_90", "--python", cuda_build().python, "--json"]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.returncode == 1, done
    told = json.loads(done.stdout)
    (skip,) = [it for it in told["findings"] if it["kind"] == "cudagraphs"]
    assert skip["explanation"]["case"] == "mutated_input_skips_cudagraphs"
    assert (skip["place"]["line"], skip["place"]["code"]) == (5, "cache.add_(x)")
    assert told["parts"][-1]["measured"]["arch"] == "sm_90"
