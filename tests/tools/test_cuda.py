"""The command for a machine with a GPU, as far as it goes without one."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BROKEN = "raise ImportError('libcudart.so.13: cannot open shared object file')"
VERSION = "__version__ = '2.11.0+cu130'\ncuda = '13.0'\n"


def cuda(path: Path, *options: str, python: str = sys.executable):
    """A finished `sh tools/cuda.sh OPTIONS`, with `path` first on the PATH."""
    return subprocess.run(
        ["sh", str(ROOT / "tools" / "cuda.sh"), *options],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{path}:/usr/bin:/bin", "PYTHON": python},
    )


def write_program(path: Path, body: str) -> None:
    """An executable shell script at `path`."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


@pytest.fixture
def python(tmp_path) -> str:
    """An interpreter whose torch is built for CUDA, and breaks when it is imported."""
    venv.create(tmp_path / "env", symlinks=True)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (packages / "torch").mkdir()
    (packages / "torch" / "__init__.py").write_text(BROKEN)
    (packages / "torch" / "version.py").write_text(VERSION)
    return str(tmp_path / "env" / "bin" / "python")


@pytest.mark.slow
def test_everything_with_a_meaning_on_cuda_runs_in_order_of_worth(tmp_path, write_case, python):
    """What is listed comes first, then the severe; CPU claims are left out."""
    write_program(tmp_path / "nvidia-smi", 'echo "NVIDIA H100 80GB HBM3, 570.86.15, 81559, N/A"')
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "guards", "mild", severity="low")
    write_case(catalog, "guards", "on_the_cpu_only", devices=["cpu"])
    write_case(catalog, "guards", "severe", severity="high")
    write_case(catalog, "guards", "listed", severity="low")
    order = "---\nfirst: [{case: listed, why: All else rests on it.}]\n"
    (catalog.parent / "first_on_gpu.yaml").write_text(order)
    done = cuda(tmp_path, "--python", python, "--catalog", str(catalog), "-j", "1")
    assert done.returncode == 3
    lines = done.stdout.splitlines()
    assert [line.split()[:3] for line in lines[:3]] == [
        ["error", "listed", "torch-2.11.0-h100"],
        ["error", "severe", "torch-2.11.0-h100"],
        ["error", "mild", "torch-2.11.0-h100"],
    ]
    assert "torch cannot be imported (ImportError: libcudart.so.13" in lines[0]
    table = lines[lines.index(next(line for line in lines if "Surprises" in line)) :]
    assert any("severe" in line and "libcudart" in line for line in table)
    assert "on_the_cpu_only" not in done.stdout
    (torch,) = (tmp_path / "env").glob("lib/python*/site-packages/torch")
    assert list(torch.glob("__pycache__/__init__.*.pyc")), "each fresh arm would compile torch anew"


def test_a_machine_without_a_gpu(tmp_path, python):
    """One sentence says what is missing, and nothing runs."""
    write_program(tmp_path / "nvidia-smi", "echo No devices were found; exit 6")
    done = cuda(tmp_path, "--python", python)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--device cuda cannot run, nvidia-smi found no GPU (No devices" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_python_that_is_too_old(tmp_path):
    """The runner needs 3.11, and says so before it installs anything."""
    write_program(tmp_path / "old", "exit 1")
    done = cuda(tmp_path, python=str(tmp_path / "old"))
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert "name a newer one with PYTHON=" in done.stderr
