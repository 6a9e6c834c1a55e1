"""Misspelt and unfinished words: what they may mean, by few edits and by common terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.match.language.spelling import Spelling, edits

TERMS = {"compil": 9, "recompil": 5, "recompile_limit": 3, "recompile_limits": 2, "bread": 1}
WORDS = st.text(alphabet="abc", max_size=7)


@pytest.fixture
def spelling() -> Spelling:
    """Knows five terms."""
    return Spelling(TERMS)


@pytest.mark.parametrize(
    ("beginning", "terms"),
    [
        ("recom", ["recompil"]),
        ("recompile_", ["recompile_limit", "recompile_limits"]),
        ("x", []),
        ("ecompil", []),
    ],
)
def test_a_beginning_is_completed(spelling: Spelling, beginning: str, terms: list[str]) -> None:
    """A word to words, a name to names; the most common term first."""
    assert spelling.completions(beginning) == terms


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("recomplie", "recompil"),
        ("recompile_limt", "recompile_limit"),
        ("comipl", "compil"),
        ("compill", "compil"),
        ("compal", ""),
        ("break", ""),
        ("brad", "bread"),
        ("bed", ""),
        ("ompil", ""),
        ("something", ""),
    ],
)
def test_a_word_is_corrected_if_few_edits_do_it(spelling: Spelling, word: str, meant: str) -> None:
    """Short words may not mean others that differ in a letter; the first letter counts as right."""
    assert spelling.correction(word) == ([meant] if meant else [])


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xbz", 2)],
)
def test_edits_are_counted(one: str, other: str, distance: int) -> None:
    """Neighbours that change places are one edit."""
    assert edits(one, other, 5) == distance


@given(WORDS, WORDS, st.integers(0, 3))
def test_edits_go_both_ways_and_stop_early(one: str, other: str, most: int) -> None:
    """Whatever the words; beyond the limit it only says so."""
    whole = edits(one, other, 99)
    assert edits(other, one, 99) == whole
    assert min(edits(one, other, most), most + 1) == min(whole, most + 1)
    assert edits(one, other, 99, 2) >= whole
