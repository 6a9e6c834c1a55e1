"""The command `kernels`: what it refuses on any machine, and what it finds on a CUDA build."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import call
from tests.pythons import cuda_build
from validators.cli import main
from validators.environment import Environment
from validators.environment.interpreter import describe
from validators.files import ROOT

MODEL = """
import torch
from torch import nn


def example():
    return lambda x: x.sin() + 1, [(torch.ones(64),)]


def product():
    return lambda x, y: (x.sin() + 1) @ y, [(torch.ones(8, 8), torch.ones(8, 8))]


def cached():
    cache = torch.zeros(2, 8)

    def decode(x, cache):
        cache.add_(x)
        return cache * 2

    return decode, [(torch.ones(2, 8), cache)]


def training():
    model = nn.Linear(8, 8)
    return model, [(torch.ones(8, 8),)], lambda output: output.sin().sum()


def counted():
    return lambda x: x * int(x.sum().item()), [(torch.ones(8),)]


def here():
    weight = torch.ones(8, device="cuda")
    return lambda x: x + weight, [(torch.ones(8, device="cuda"),)]
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A folder with targets."""
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def refused(folder: Path, *arguments: object) -> str:
    """The sentence with which the command refuses."""
    done = call(main, "kernels", *arguments, cwd=folder)
    assert done.returncode == 2, done
    assert done.stdout == ""
    return done.stderr.strip()


@pytest.fixture
def told_environment(monkeypatch, tmp_path):
    """A function that makes the command see another interpreter."""

    def tell(cuda: str, modules: frozenset[str]) -> None:
        env: Environment = describe(sys.executable)
        mark = dataclasses.replace(env.fingerprint, cuda=cuda)
        other = dataclasses.replace(env, fingerprint=mark, modules=modules, packages=tmp_path)
        monkeypatch.setattr("validators.environment.any_device.describe", lambda _: other)

    return tell


def test_a_cpu_build_is_refused(model, told_environment) -> None:
    """The sentence says what to install, and that it needs no GPU."""
    told_environment("", frozenset({"triton"}))
    said = refused(model, "model.py:example")
    assert "its torch is a CPU build" in said
    assert "pip install torch" in said
    assert "needs no GPU" in said


def test_a_torch_without_triton_is_refused(model, told_environment) -> None:
    """The sentence holds the command that installs it."""
    told_environment("13.2", frozenset())
    assert "has no Triton; run `" in refused(model, "model.py:example")


def test_a_triton_without_ptxas_is_refused(model, told_environment) -> None:
    """The sentence says what ptxas is."""
    told_environment("13.2", frozenset({"triton"}))
    said = refused(model, "model.py:example")
    assert "has no ptxas, the assembler for GPUs; run `" in said


def test_missing_headers_are_refused(model, told_environment) -> None:
    """Without CUDA's headers the device cannot be made."""
    told_environment("13.2", frozenset({"triton"}))
    tools = model / "triton/backends/nvidia/bin"
    tools.mkdir(parents=True)
    (tools / "ptxas").touch()
    assert "no cuda_runtime_api.h; install torch" in refused(model, "model.py:example")


def test_an_unknown_architecture_is_refused(model) -> None:
    """The known ones are named."""
    said = refused(model, "model.py:example", "--arch", "sm_61")
    assert "'sm_80', 'sm_90', 'sm_100'" in said


def test_a_target_without_a_factory_is_refused(model) -> None:
    """As `diagnose` refuses it."""
    assert "names no factory" in refused(model, "model")


@pytest.fixture
def python() -> str:
    """An interpreter with a CUDA build of torch."""
    return cuda_build().python


def run(model: Path, python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The finished command, in a process of its own: the device is there from its start."""
    command = [sys.executable, "-m", "validators", "kernels", *arguments, "--python", python]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=model, env=variables, capture_output=True, text=True)


def compiled(model: Path, python: str, *arguments: str) -> dict:
    """What the command prints as JSON; its status says whether all of it is decided."""
    done = run(model, python, *arguments, "--json")
    assert done.returncode in (0, 1), done
    found: dict = json.loads(done.stdout)
    targets = filter(None, (found["target"], found["against"]))
    assert any(it["undecided"] for it in targets) == bool(done.returncode)
    return found


@pytest.mark.matrix
@pytest.mark.slow
class TestOnCudaBuild:
    """What needs an interpreter with a CUDA build; no GPU."""

    def test_two_targets_are_compared(self, model, python) -> None:
        """Kernels, library calls and sizes of both, and what differs."""
        found = compiled(model, python, "model.py:example", "--against", "model.py:product")
        (graph,) = found["target"]["compiled"]
        assert graph["externs"] == []
        (kernel,) = graph["kernels"]
        assert kernel["launches"] == 1
        assert kernel["source"].count("@triton.jit") == 1
        (used,) = kernel["configurations"]
        assert 0 < used["registers"] <= 255
        assert used["spills"] == used["shared"] == 0
        assert graph["peak"] == 64 * 4
        assert found["target"]["undecided"] == []
        changed = {it["what"]: (it["target"], it["against"]) for it in found["changes"]}
        assert changed["library calls"] == changed["library call mm"] == ("0", "1")
        assert "graphs" not in changed

    def test_a_mutated_input_skips_cudagraphs(self, model, python) -> None:
        """The reason is told in the words of torch."""
        asked = ("model.py:cached", "--mode", "reduce-overhead", "--arch", "sm_80")
        target = compiled(model, python, *asked)["target"]
        assert target["board"] == "NVIDIA A100-SXM4-80GB"
        (reason,) = target["skips"]
        assert "mutated inputs" in reason
        assert str(model) not in json.dumps(target)

    def test_training_compiles_forward_and_backward(self, model, python) -> None:
        """The loss is not part of the model; the optimizer runs eagerly."""
        target = compiled(model, python, "model.py:training")["target"]
        assert target["trains"]
        assert [it["kind"] for it in target["compiled"]] == ["forward", "backward"]

    def test_a_value_is_undecided(self, model, python) -> None:
        """What needs one is told, and the status is 1."""
        target = compiled(model, python, "model.py:counted")["target"]
        assert "a tensor's value is asked for" in target["undecided"][0]
        assert "what comes after is not seen" in target["undecided"][1]

    def test_a_target_that_is_on_the_gpu_stays_there(self, model, python) -> None:
        """Also what its function closes over."""
        target = compiled(model, python, "model.py:here")["target"]
        assert [len(it["kernels"]) for it in target["compiled"]] == [1]

    def test_a_target_that_cannot_be_imported_is_refused(self, model, python) -> None:
        """With the module that is missing."""
        (model / "broken.py").write_text("import nowhere\n")
        done = run(model, python, "broken.py:example")
        assert done.returncode == 2, done
        assert "broken.py cannot be imported: there is no module 'nowhere'; install" in done.stderr

    def test_the_terminal_names_the_kernels(self, model, python) -> None:
        """And the code, when asked for."""
        done = run(model, python, "model.py:example", "--source")
        assert done.returncode == 0, done
        assert "compiled for sm_90 (NVIDIA H100 80GB HBM3), never run" in done.stdout
        assert "triton_poi_fused" in done.stdout
        assert "@triton.jit" in done.stdout
