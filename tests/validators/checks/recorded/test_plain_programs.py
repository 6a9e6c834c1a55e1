"""Checks of the plain programs."""

from __future__ import annotations

import pytest

from tests.plain import BREAK, KNOWN, PROGRAM, record, write
from validators.checks.recorded.plain_programs import check_plain_programs


@pytest.fixture
def problems(corpus):
    """What is wrong with a repository that has a program, a case and an entry about both."""
    write(corpus, "sums.py", PROGRAM)
    write(corpus, "known.yaml", KNOWN)
    corpus.case("branch")
    return lambda: [it.message for it in check_plain_programs(corpus.repository())]


def test_a_healthy_repository_has_none(corpus, problems):
    """The record is current, and a finding needs the entry."""
    record(corpus, breaks=[BREAK])
    assert problems() == []


def test_an_entry_that_nothing_needs(corpus, problems):
    """It is refused once all programs have a record."""
    assert problems() == []
    record(corpus)
    (message,) = problems()
    assert message.startswith("no finding needs the entry sums, graph_break 'branching'")


def test_a_record_of_another_program(corpus, problems):
    """The message says how to record it again."""
    record(corpus, breaks=[BREAK], digest="0")
    (message,) = problems()
    assert "run `python -m validators plain sums --record`" in message


def test_a_record_without_a_program(corpus, problems):
    """It has to go."""
    record(corpus, breaks=[BREAK])
    file = corpus.evidence / "plain" / "sums.json"
    file.with_name("other.json").write_bytes(file.read_bytes())
    assert problems() == ["other is not a plain program; delete the file"]


def test_an_entry_of_no_case(corpus, problems):
    """It is named."""
    write(corpus, "known.yaml", KNOWN.replace("case: branch", "case: nothing"))
    record(corpus, breaks=[BREAK])
    assert problems() == ["nothing is not a case; name one"]
