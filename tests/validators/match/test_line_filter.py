"""Patterns are found by a word of theirs exactly where trying each one finds them."""

from __future__ import annotations

import re

import pytest

from validators.match import Index
from validators.match.line_filter import LineFilter

LINES = 60


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


def test_it_finds_what_trying_all_finds(index: Index) -> None:
    """In what a log may hold of the literals of all patterns."""
    families = [it for family in index.families for it in family.patterns]
    rows = [(it.pattern, it.literal, it.literal) for it in index.signatures]
    rows += [(it.text, it.literal, it.around) for it in families]
    known = LineFilter(enumerate(rows))
    patterns = [re.compile(pattern, re.ASCII) for pattern, _, _ in rows]
    for _, literal, _ in rows[:: len(rows) // LINES]:
        line = f"[0/0] torch._dynamo.exc.Unsupported: {literal} 4 (GB0170)"
        tried = [number for number, it in enumerate(patterns) if it.search(line)]
        assert known.matching(line) == tried, line
