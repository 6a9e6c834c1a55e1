"""Patterns are found by a word of theirs exactly where trying each one finds them."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.validators.match.judging import judged_logs, our_index
from validators.match.line_filter import LineFilter

LINES = 600


@pytest.mark.parametrize(
    ("literal", "lines"),
    [
        ("Skipping", ["Skippings of all kinds"]),
        ("an attribute of", ["xan attribute off"]),
        ("reason: ", ["(reason: 1)"]),
        ("", ["", "anything"]),
        ("größe (", ["die größe (m)"]),
    ],
)
def test_a_literal_may_begin_and_end_within_words(literal: str, lines: list[str]) -> None:
    """Only words that stand whole within a literal stand whole in the line."""
    known = LineFilter([(3, (re.escape(literal), literal, literal))])
    for line in lines:
        assert known.matching(line) == [3]


def test_a_word_may_have_to_end_where_the_literal_does() -> None:
    """Where a pattern asks for it, as that of an exception's name does."""
    known = LineFilter([(0, (r"\bOutOfIt(?::|$)", "OutOfIt", " OutOfIt "))])
    assert known.matching("a.OutOfIt: x") == [0]
    assert known.matching("OutOfItAll: x") == []


def test_it_finds_what_trying_all_finds() -> None:
    """Over a sample of the judged logs' lines, which does not grow with their number."""
    lines = {line for log in judged_logs() for line in log["log"].splitlines()}
    sample = sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())[:LINES]
    signatures = our_index().signatures
    families = [it for family in our_index().families for it in family.patterns]
    rows = [(it.pattern, it.literal, it.literal) for it in signatures]
    rows += [(it.text, it.literal, it.around) for it in families]
    known = LineFilter(enumerate(rows))
    found = {number for line in sample for number in known.matching(line)}
    tried = {
        number
        for number, (pattern, _, _) in enumerate(rows)
        if any(re.search(pattern, line, re.ASCII) for line in sample)
    }
    assert found == tried
    assert len(found) > 40
