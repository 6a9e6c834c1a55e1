"""The files of plain programs."""

from __future__ import annotations

import pytest

from tests.plain import PROGRAM, write
from validators.files import ROOT
from validators.plain.programs import load_programs


def test_a_file_is_a_program(corpus):
    """Its digest is that of what it does."""
    digests = []
    for text in (PROGRAM, f"{PROGRAM}# a comment\n", PROGRAM.replace("x * 2", "x * 3")):
        write(corpus, "sums.py", text)
        (program,), problems = load_programs(corpus.root)
        assert (program.name, program.about) == ("sums", "A sum that branches.")
        assert not problems
        digests.append(program.digest)
    assert digests[0] == digests[1] != digests[2]


def test_a_program_may_not_train(corpus):
    """It says so by `training = None`."""
    write(corpus, "sums.py", f"{PROGRAM}\n\ntraining = None\n")
    (program,) = load_programs(corpus.root)[0]
    assert program.modes == ("no_grad", "inference_mode")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PROGRAM.replace("build", "make"), "defines no build()"),
        (PROGRAM.replace("inputs", "calls"), "defines no inputs()"),
        ("def build(): ...\ndef inputs(batch): ...\n", "does not say what it is"),
        ("def build(:\n", "is not Python"),
    ],
)
def test_a_defect_is_named(corpus, text, said):
    """One sentence each."""
    write(corpus, "sums.py", text)
    assert [said in it.message for it in load_programs(corpus.root)[1]] == [True]


def test_our_programs_are_short():
    """There are twenty, and each fits a page of a textbook."""
    programs, problems = load_programs(ROOT)
    assert not problems
    assert len(programs) >= 20
    assert max(len(it.file.read_text().splitlines()) for it in programs) < 60
