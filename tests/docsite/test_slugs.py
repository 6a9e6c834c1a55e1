"""What a program calls a log entry."""

from __future__ import annotations

import pytest
from docsite.slugs import LONGEST, slug_of


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("torch-2.13.0-cpu to HEAD~1:x", "torch-2-13-0-cpu-to-head-1-x"),
        ("Größe & `code`", "groe-code"),
        ("", ""),
        ("\u6f22 ---", ""),
        ("word " * 99, "-".join(["word"] * 12)),
        ("a" * 99, "a" * LONGEST),
    ],
)
def test_a_slug_is_words_in_ascii(title: str, slug: str) -> None:
    """No longer than a file's name may well be, and cut between words where it can be."""
    assert slug_of(title) == slug
