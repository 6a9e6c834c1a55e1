"""Signatures are found by a word of theirs exactly where trying each one finds them."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.validators.match.judging import judged_logs, our_index
from validators.match.index import Signature
from validators.match.signature_filter import SignatureFilter

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
def test_a_literal_may_begin_and_end_within_words(literal, lines):
    """Only words that stand whole within a literal stand whole in the line."""
    pattern = re.escape(literal)
    signature = Signature(pattern, (0, len(pattern)), [0])
    for line in lines:
        assert SignatureFilter([signature]).pop_matching(line) == [signature]


def test_each_is_found_once():
    """Each signature is found once, by the first line that matches it."""
    signature = Signature("a b c", (0, 5), [0])
    left = SignatureFilter([signature])
    assert [left.pop_matching(line) for line in ("a b", "a b c", "a b c")] == [
        [],
        [signature],
        [],
    ]


def test_it_finds_what_trying_all_finds():
    """Over a sample of the judged logs' lines, which does not grow with their number."""
    lines = {line for log in judged_logs() for line in log["log"].splitlines()}
    sample = sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())[:LINES]
    signatures = our_index().signatures
    left = SignatureFilter(signatures)
    found = {it.pattern for line in sample for it in left.pop_matching(line)}
    tried = {
        it.pattern
        for it in signatures
        if any(re.search(it.pattern, line, re.ASCII) for line in sample)
    }
    assert found == tried
    assert len(found) > 20
