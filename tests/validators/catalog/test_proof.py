"""A proof read as source."""

from __future__ import annotations

import pytest

from validators.catalog.citations import citations
from validators.catalog.proof import Import, read_proof

SOURCE = """\
import torch, math as m


@decorated
def symptom(device):
    from ..near import one, two

    return one


class Model:
    def shows(self): ...
"""


@pytest.fixture
def proof(tmp_path):
    """`SOURCE` as a proof."""
    (tmp_path / "one.py").write_text(SOURCE)
    return read_proof(tmp_path / "one.py")


def test_functions_are_those_at_the_top(proof):
    """A method is not a function of the proof; decorators belong to the source."""
    assert list(proof.functions) == ["symptom"]
    assert proof.source_of("symptom").startswith("@decorated\ndef symptom(device):")
    assert proof.source_of("symptom").endswith("return one")
    assert proof.source_of("shows") == ""


def test_imports_are_found_wherever_they_stand(proof):
    """Lines, modules and names, those inside functions and relative ones included."""
    assert proof.imports() == [
        Import(1, "torch"),
        Import(1, "math"),
        Import(6, "..near", ("one", "two")),
    ]


def test_citations_have_lines():
    """Only `case:NAME` in backticks cites."""
    text = "`case:one` and `case:two`\ncase:no `case: no` `case:no-dash`\n`case:one`"
    assert list(citations(text)) == [(1, "one"), (1, "two"), (3, "one")]
