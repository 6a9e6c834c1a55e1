"""How the numbers of two arms are told in a few words."""

from __future__ import annotations

import ast

import pytest

from tests.world import BREAK, GRAPH
from validators.catalog.proof import Proof
from validators.evidence.readings import contrasts, names_read
from validators.probes.report import Call, Cudagraphs, Difference, Recompile, Report

RECOMPILE = Recompile("0/1", "f", ("x.size(0) == 1",))
SYMPTOM = Report(
    calls=(Call(1, 1, Difference(eager=0.03125)), Call(1, 1)),
    graphs=(GRAPH,) * 8,
    ops=1943,
    graph_breaks=(BREAK,),
    recompiles=(RECOMPILE,) * 7,
    cudagraphs=Cudagraphs(("mutated",), 0, 0, 0),
    facts={"guards": 211, "kernels": ["a", "b"]},
    memory={"peak": 3 * 2**20},
)
REMEDY = Report(
    calls=(Call(1, 1, Difference(eager=0.0)), Call(0, 1)),
    graphs=(GRAPH,),
    ops=1943,
    cudagraphs=Cudagraphs((), 1, 0, 0),
    facts={"guards": 23, "kernels": []},
    memory={"peak": 2**20},
)


@pytest.mark.parametrize(
    ("read", "phrase"),
    [
        ("graphs", "8 graphs → 1"),
        ("recompiles", "7 recompiles → 0"),
        ("graph_breaks", "1 graph break → 0"),
        ("ops", "1,943 ops → 1,943"),
        ("symbols", "8 symbols in graphs → 1"),
        ("skips", "1 CUDA graph skip → 0"),
        ("recordings", "0 CUDA graph recordings → 1"),
        ("difference", "difference from eager 0.0312 → 0"),
        ("compiled", "graphs compiled in each call 1, 1 → 1, 0"),
        ("memory", "memory peak 3 MiB → 1 MiB"),
        ("facts guards", "guards 211 → 23"),
        ("facts kernels", "kernels 2 → 0"),
    ],
)
def test_a_number_is_told_in_a_few_words(read, phrase):
    """A count with what it counts, in the number of the first; any other after its name."""
    (found,) = contrasts(SYMPTOM, REMEDY, frozenset(read.split()))
    assert found.phrase == phrase
    assert found.differs == (read != "ops")


def test_only_what_the_predicate_reads_is_told():
    """By itself or through a function of the proof; what the arms read does not count."""
    source = """
def symptom(device):
    return device.ops


def broken(report):
    return report.graph_breaks


def shows(report):
    return len(broken(report)) > report.facts["most"]
"""
    read = names_read(Proof(source, ast.parse(source)))
    assert {"graph_breaks", "facts", "most"} <= read
    assert "ops" not in read
