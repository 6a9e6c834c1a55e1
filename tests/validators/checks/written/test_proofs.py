"""What a proof may import."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from validators.catalog import load_catalog
from validators.catalog.imports import unfit_to_run
from validators.checks.written.proofs import check_proof

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
        "import importlib\nimportlib.import_module('validators.runner')",
        "runner = __import__('validators.runner')",
    ],
)
def test_what_no_proof_may_import(messages, source):
    """Reports, other rooms, other cases and packages that `needs` does not name are refused."""
    assert len(messages(source)) == 1


def test_what_may_not_be_imported_may_not_run(tmp_path, write_case):
    """The runner asks for the same sentence; a need that nobody knows opens nothing."""
    proof = "import torch\nimport docsite, validators.runner" + FUNCTIONS
    write_case(tmp_path, "guards", "one", proof=proof, needs=["docsite", "validators"])
    (case,) = load_catalog(tmp_path).cases
    assert [problem.line for problem in unfit_to_run(case)] == [2, 2]
    assert unfit_to_run(case) == list(check_proof(case))


@pytest.mark.parametrize(
    ("raw", "line", "message"),
    [
        (b"x = 1\ndef (\n", 2, "is not Python (invalid syntax); fix the syntax"),
        (b"x = 1\n\0\n", 2, "holds the control character U+0000; write it as an escape"),
        (b"x = 1\n\f\nx = '\x1b[2J'", 3, "holds the control character U+001B; write it as an esc"),
        (b"(" * 100_000, 1, "is not Python (too many nested parentheses); fix the syntax"),
        (b"-" * 100_000 + b"1", 0, "nests too deep for Python's own parser; flatten it"),
        (b"1" + b"+1" * 100_000, 0, "nests too deep for Python's own parser; flatten it"),
        (b"#" * 10_000_000, 0, "is larger than 256 KiB; shorten the proof"),
        (b"x = 1\n# \xff", 2, "is not UTF-8; save it as UTF-8"),
    ],
)
def test_a_proof_that_cannot_be_read_may_not_run(tmp_path, write_case, raw, line, message):
    """Whatever stands in the file, the answer is one sentence with its line."""
    write_case(tmp_path, "guards", "one").with_suffix(".py").write_bytes(raw)
    (problem,) = unfit_to_run(load_catalog(tmp_path).cases[0])
    assert (problem.line, problem.message.startswith(message)) == (line, True), problem


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_a_proof_that_is_no_file_may_not_run(tmp_path, write_case, make):
    """A pipe that nobody writes, a folder and a link to a device are named, not waited for."""
    path = write_case(tmp_path, "guards", "one").with_suffix(".py")
    path.unlink()
    make(path)
    (problem,) = unfit_to_run(load_catalog(tmp_path).cases[0])
    assert problem.message.startswith(("cannot be read (", "is a link"))


def test_a_package_in_needs_may_be_imported(messages):
    """`needs` opens its packages and no others."""
    assert messages("import triton.language as tl", ["triton"]) == []
    assert len(messages("import triton, numpy", ["triton"])) == 1


@pytest.mark.parametrize(
    ("shows", "about", "said"),
    [
        ("return 'x' in report.exception.message", "", "reads `message`: judge an effect"),
        ("return any(it.reasons for it in report.recompiles)", "", "reads `reasons`"),
        ("return helped(report)", "", "reads `type`"),
        ("return 'x' in report.exception.message", "message", ""),
        ("return len(report.graph_breaks) == 1", "", ""),
        ("return len(report.graph_breaks) == 1", "message", "reads no words"),
    ],
)
def test_a_predicate_that_reads_words_says_so(tmp_path, write_case, shows, about, said):
    """Releases change words, so a reader has to know what the predicate can miss."""
    helper = "def helped(report): return report.exception.type == 'KeyError'\n"
    arms = "def symptom(x): ...\ndef remedy(x): ...\n"
    source = f"{arms}{helper}def shows(report):\n    {shows}\n"
    write_case(tmp_path, "guards", "one", proof=source, **({"about": about} if about else {}))
    problems = [it.message for it in check_proof(load_catalog(tmp_path).cases[0])]
    assert len(problems) == bool(said)
    assert said in "".join(problems)
