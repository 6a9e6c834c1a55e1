"""Which findings a case explains."""

from __future__ import annotations

import pytest

from tests.corpus import COLUMN
from tests.plain import BREAK, KNOWN, PROGRAM, record, write
from validators.plain.judge import Judge
from validators.plain.known import load_known


@pytest.fixture
def judged(corpus):
    """The cases of the findings of a record, and the entries that were needed."""
    write(corpus, "sums.py", PROGRAM)
    write(corpus, "known.yaml", KNOWN)

    def judge(column: str = COLUMN, **fields: object):
        known, problems = load_known(corpus.root)
        assert not problems
        it = Judge(corpus.repository(), known)
        found = it.judged("sums", column, record(corpus, column, **fields))
        return [one.case for one in found], it.used

    return judge


def test_an_entry_explains_a_finding(corpus, judged):
    """Of its kind, where a program confirmed the case."""
    corpus.case("branch")
    assert judged(breaks=[BREAK]) == (["branch"], {0})
    assert judged(breaks=["GB0001 Another"]) == ([""], set())
    assert judged(raised=f"RuntimeError: {BREAK}") == ([""], set())
    assert judged("torch-2.9.1-cpu", breaks=[BREAK]) == ([""], {0})


def test_a_case_without_evidence_explains_nothing(corpus, judged):
    """The finding is open."""
    corpus.case("branch", confirmed=False)
    assert judged(breaks=[BREAK]) == ([""], {0})


def test_a_damaged_file_is_named(corpus):
    """In one sentence."""
    write(corpus, "known.yaml", "---\nknown: 3\n")
    known, problems = load_known(corpus.root)
    assert (known, len(problems)) == ([], 1)
