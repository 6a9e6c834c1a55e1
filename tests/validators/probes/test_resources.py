"""What kernels use of a GPU, by a driver that is a stand-in, and compiled for a GPU."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.pythons import pretending
from tests.validators.probes.arms import ones
from validators.probes import kernel_resources

PROGRAM = """
import json
from validators.pretended import proving

proving.begin()
import torch
from validators.probes import kernel_resources

x = torch.ones(4096, 1024, device="cuda")
report = kernel_resources(lambda x: x.softmax(-1), [(x,)])
print(json.dumps(report.facts))
"""


@pytest.fixture
def utilities(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Triton's driver, which loads binaries that are their registers and spills."""
    driver = pytest.importorskip("triton.runtime.driver").driver
    it = SimpleNamespace(load_binary=lambda _, binary, *__: (1, 1, *binary, 1024))
    monkeypatch.setattr(driver, "_active", SimpleNamespace(utils=it))
    return it


def test_the_least_of_a_kernels_configurations_counts(utilities) -> None:
    """Each number by itself; what is loaded before or after the calls does not count."""
    load = utilities.load_binary

    def run(x):
        utilities.load_binary("sum", (40, 0), 64, 0)
        utilities.load_binary("sum", (32, 8), 128, 0)
        utilities.load_binary("sin", (16, 0), 0, 0)
        return x

    report = kernel_resources(run, [(ones(2),)], compile=lambda it: it, eager=True)
    assert report.facts == {
        "registers": {"sum": 32, "sin": 16},
        "spills": {"sum": 0, "sin": 0},
        "shared": {"sum": 64, "sin": 0},
    }
    assert utilities.load_binary is load


@pytest.mark.matrix
@pytest.mark.slow
def test_kernels_of_inductor_are_read(tmp_path: Path) -> None:
    """Under the name that it has in the generated code."""
    facts = json.loads(pretending("sm_90", tmp_path, "-c", PROGRAM))
    (name,) = facts["registers"]
    assert "softmax" in name
    assert facts["registers"][name] > 0 == facts["spills"][name]
    assert facts["shared"].keys() == {name}
