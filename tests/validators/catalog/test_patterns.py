"""Signatures: the same in two languages, and no line makes them slow."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from validators.catalog import load_catalog
from validators.catalog.patterns import defect_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("pattern", "defect"),
    [
        (r"size mismatch at index \d+\. expected \d+, actual \d+, (?!1)\w+ \[x\]", ""),
        (r"(?:no|not) (?=a)[(+]+ a{2,9}", ""),
        (r".* was .*", ""),
        (r"(?i)a", "`(?` means something else in JavaScript"),
        (r"(?<=a)b", "`(?` means something else in JavaScript"),
        (r"(?P<x>a)", "`(?` means something else in JavaScript"),
        (r"\d++", "`++` means something else in JavaScript"),
        (r"a{,3}", "`{,3}` means something else in JavaScript"),
        (r"[]a]", "`[]` means something else in JavaScript"),
        (r"\Aa", r"`\A` means something else in JavaScript"),
        (r"(a)\1", r"`\1` is a back-reference, which takes unbounded time"),
        (r"(a+)+", "`+` repeats a repetition, which takes unbounded time"),
        (r"(?:(\w*)b){2,}", "`{2,}` repeats a repetition, which takes unbounded time"),
        (r".*\w+[^a]*", "it repeats any character in 3 places, more than 2"),
    ],
)
def test_what_a_signature_may_hold(pattern: str, defect: str) -> None:
    """What two engines read differently, or need long for, is refused."""
    re.compile(pattern)
    assert defect_of(pattern).startswith(defect)
    assert bool(defect_of(pattern)) is bool(defect)


def test_no_signature_of_ours_is_slow() -> None:
    """On the longest lines that are kept, made of the signature's own pieces without its end."""
    catalog = load_catalog(ROOT / "playbooks" / "catalog")
    for pattern in (pattern for case in catalog.cases for pattern in case.meta.signatures):
        pieces = [re.sub(r"\\(.)|[()]", r"\1", it) for it in re.split(r"[.\]\w][*+]", pattern)]
        for piece in filter(None, (pieces[0], "".join(pieces[:-1]), pieces[0][-1:])):
            line = (piece * 2000)[:2000]
            start = time.process_time()
            re.search(pattern, line, re.ASCII)
            assert time.process_time() - start < 1, (pattern, piece)
