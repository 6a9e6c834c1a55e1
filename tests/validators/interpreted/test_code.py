"""The code for a GPU that is not there computes what eager mode does, on a CPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pythons import pretending
from validators.interpreted import VARIABLES


@pytest.mark.matrix
@pytest.mark.slow
def test_triton_code_computes_eager_mode_s_results(tmp_path, monkeypatch):
    """Outputs, gradients and changed arguments; the code is Triton's, forward and backward."""
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    found = json.loads(pretending("sm_90", tmp_path, str(Path(__file__).with_name("programs.py"))))
    assert found == {
        "loops": {"graphs": 2, "triton": True, "libraries": True},
        "product": {"graphs": 2, "triton": True, "libraries": False},
        "written": {"graphs": 1, "triton": True, "libraries": False},
    }
