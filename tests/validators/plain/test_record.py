"""Records of plain programs."""

from __future__ import annotations

import pytest

from tests.corpus import COLUMN
from tests.plain import BREAK, PROGRAM, record, write
from validators.plain.record import (
    Finding,
    PlainRecord,
    Seen,
    differences,
    findings,
    load_plain,
    record_file,
)


@pytest.fixture(autouse=True)
def program(corpus):
    """Have the repository hold a program."""
    write(corpus, "sums.py", PROGRAM)


def test_columns_share_a_file(corpus):
    """With a line each, by release; one that is recorded again is replaced."""
    other = record(corpus, "torch-2.9.1-cpu")
    record(corpus, graphs=9)
    last = record(corpus, graphs=3)
    assert load_plain(corpus.evidence) == ({"sums": {"torch-2.9.1-cpu": other, COLUMN: last}}, [])
    text = record_file(corpus.evidence, "sums").read_text()
    assert [line[:12] for line in text.splitlines()[1:3]] == ['"torch-2.9.1', '"torch-2.13.']


def test_a_damaged_record_is_named(corpus):
    """The others are read."""
    record(corpus)
    record_file(corpus.evidence, "other").write_text("[]")
    records, (problem,) = load_plain(corpus.evidence)
    assert list(records) == ["sums"]
    assert "cannot be read" in problem.message


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"graphs": 3, "recompiles": 2}, []),
        ({"breaks": [BREAK]}, ["graph_break"]),
        ({"compiled_again": 1}, ["compiled_again"]),
        ({"differs": [0.1, 0.1, 1e-7]}, ["difference"]),
        ({"limit": True, "eager_calls": [4]}, ["eager_call", "recompile_limit"]),
        ({"raised": "IndexError: no", "eager_calls": [0]}, ["exception"]),
        ({"failure": "was killed by SIGSEGV"}, ["exception"]),
        ({"eager": "TypeError: no such argument"}, []),
    ],
)
def test_what_is_a_finding(corpus, fields, kinds):
    """Graphs for new sizes are none, nor is what eager mode does as well."""
    found = findings(record(corpus, **fields))
    assert sorted(it.kind for it in found) == kinds
    assert all(modes == ["training"] for modes in found.values())


def test_a_finding_of_two_modes_is_one():
    """It names both."""
    seen = Seen(breaks=[BREAK])
    made = PlainRecord("", {"training": seen, "no_grad": seen})
    assert findings(made) == {Finding("graph_break", BREAK): ["training", "no_grad"]}


def test_differences_are_told(corpus):
    """The size of a distance is of the machine, that there is one is not."""
    one = record(corpus, graphs=3, differs=[0.1, 0.1, 1e-7])
    assert differences(one, record(corpus, graphs=3, differs=[0.2, 0.1, 1e-7])) == []
    told = differences(one, record(corpus, graphs=4))
    assert told == [
        "training: graphs is 4, was 3",
        "training: differs is [], was [0.1, 0.1, 1e-07]",
    ]
    assert differences(one, PlainRecord("", {})) == ["training: is gone"]
