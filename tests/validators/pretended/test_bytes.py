"""What torch compiles for a GPU that is not there is, byte for byte, what it compiled on one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pythons import pretending
from validators.files import ROOT

PROGRAMS = Path(__file__).with_name("kernel_programs.py")
ON_A_GPU = json.loads(Path(__file__).with_name("h100.json").read_text())
RELEASE = ON_A_GPU["torch"].partition("+")[0]
SAMPLE = sorted(ON_A_GPU["programs"])[::4]


@pytest.fixture(scope="module")
def pretended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What each program of the sample becomes without a GPU, on the release that the GPU ran."""
    folder = tmp_path_factory.mktemp("bytes")
    said = pretending("sm_90", folder, str(PROGRAMS), str(folder), *SAMPLE, release=RELEASE)
    found: dict[str, object] = json.loads(said)["programs"]
    return found


@pytest.mark.matrix
@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_a_program_becomes_the_code_that_ran_on_a_gpu(pretended, name) -> None:
    """Inductor's code, and the machine code of each kernel in all its configurations."""
    assert pretended[name] == ON_A_GPU["programs"][name]


def test_the_guide_counts_what_was_compared() -> None:
    """Its numbers are those of the file."""
    guide = (ROOT / "playbooks" / "guides" / "kernels-without-a-gpu.md").read_text()
    programs = ON_A_GPU["programs"]
    kernels = sum(len(it["kernels"]) for it in programs.values())
    assert f"{len(programs)} programs" in guide
    assert f"{kernels} kernels" in guide
