"""What a proof may import."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks.proofs import check_proof

FUNCTIONS = "\ndef symptom(x): ...\ndef remedy(x, /): ...\ndef shows(x): ...\n"


@pytest.fixture
def messages(tmp_path, write_case):
    """The messages about a proof that begins with `source`, of a case with these `needs`."""

    def run(source, needs=()):
        write_case(tmp_path, "guards", "one", proof=source + FUNCTIONS, needs=list(needs))
        return [problem.message for problem in check_proof(load_catalog(tmp_path).cases[0])]

    return run


@pytest.mark.parametrize(
    "source",
    [
        "import torch",
        "import torch._dynamo.config as config",
        "from torch import nn",
        "import os.path, math",
        "from validators.probes import observe, call",
        "from reference_models.vlm import VLM",
        "import reference_models",
    ],
)
def test_what_every_proof_may_import(messages, source):
    """The standard library, torch, the reference models and the probes are free."""
    assert messages(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "from validators.probes import Report",
        "from validators.probes import observe, Report",
        "from validators.probes import *",
        "from validators.probes import no_such_probe",
        "import validators.probes",
        "import validators.probes.report",
        "from validators.probes.observation import observe",
        "from validators import probes",
        "from validators.catalog import Case",
        "from . import other",
        "from ..memory import other",
        "import another_case",
        "import docsite",
        "import triton",
        "def helper():\n    import numpy",
    ],
)
def test_what_no_proof_may_import(messages, source):
    """Reports, other rooms, other cases and packages that `needs` does not name are refused."""
    assert len(messages(source)) == 1


def test_a_package_in_needs_may_be_imported(messages):
    """`needs` opens its packages and no others."""
    assert messages("import triton.language as tl", ["triton"]) == []
    assert len(messages("import triton, numpy", ["triton"])) == 1
