"""Markdown as text: no marks are left, and nothing is wider than it has to be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.catalog import load_catalog
from validators.catalog.example import without_example
from validators.cli.find.page_text import page_lines
from validators.styled import Line, width_of

ROOT = Path(__file__).resolve().parents[4]


def text(markdown: str, width: int = 60) -> str:
    """The page as plain text."""
    lines = ("".join(part for part, _ in line).rstrip() for line in page_lines(markdown, width))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("# Title\n\nWords.", "  Words."),
        ("## Why\n\nIt is so.\n\nAnd so.", "Why\n  It is so.\n\n  And so."),
        ("A `print` in **bold** and *slanted*.", "  A print in bold and slanted."),
        ("See `case:other_case`.", "  See case other_case."),
        ("One\nline.", "  One line."),
        (
            "It has <!-- figure a symptom.ops torch-2.13.0-cpu -->577<!-- /figure --> ops.",
            "  It has 577 ops.",
        ),
        ("<!-- figure a b c -->5<!-- /figure --> at the start.", "  5 at the start."),
        ("See [the guide](../guides/a.md).", "  See the guide."),
        ("See [it](https://a.org/b).", "  See it (https://a.org/b)."),
        ("See <https://a.org/b>.", "  See https://a.org/b."),
        ("![a plot](a.png)", "  [image: a plot]"),
        ("```python\ndef f(x):\n\n    return `x`\n```", "      def f(x):\n\n          return `x`"),
        ("- one\n- two\n  lines", "  - one\n  - two lines"),
        ("9. one\n10. two", "  9. one\n  10. two"),
        ("- one\n\n- two", "  - one\n\n  - two"),
        ("- one\n  - inner", "  - one\n    - inner"),
        ("> quoted", "  | quoted"),
        ("<script>alert(1)</script>", "  <script>alert(1)</script>"),
        ("a &lt;b&gt; &amp; c\\*", "  a <b> & c*"),
        (
            "| a | `b` |\n|---|---|\n| one | 2 |\n| 3 | four |",
            "  a    b\n  ─────────\n  one  2\n  3    four",
        ),
    ],
)
def test_marks_are_gone(markdown, said):
    """What they mean stays: indentation, bullets, columns, the place of a link."""
    assert text(markdown) == said


def test_paragraphs_and_cells_are_wrapped():
    """At spaces; short code stays whole."""
    words = "word " * 9 + "`mark_dynamic(x, 0)` end"
    lines = text(words, 30).split("\n")
    assert lines[1] == "  word word word word" and lines[2] == "  mark_dynamic(x, 0) end"
    table = "| name | what |\n|---|---|\n| `a_name` | " + "word " * 12 + "|"
    lines = text(table, 40).split("\n")
    assert max(map(len, lines)) <= 40
    assert lines[2].startswith("  a_name  word") and lines[3].startswith("          word")


def test_a_page_is_as_wide_as_it_may_be():
    """Of our own pages only code is wider, or a word, and no mark is left."""
    mark = re.compile(r"<!--|\]\(|`case:")
    for case in load_catalog(ROOT / "playbooks" / "catalog").cases:
        for line in page_lines(without_example(case.body), 80):
            said = "".join(part for part, _ in line)
            if not said.startswith("      "):  # code
                assert width_of(line) <= 80 or len(said.split()) == 1, said
                assert not mark.search(said), said


@given(st.text() | st.text("`*_#[]()<>!|-\n &;~12."))
def test_every_text_is_a_page(markdown):
    """Nothing that a page holds breaks the command that shows it."""
    lines: list[Line] = page_lines(markdown, 40)
    assert all(isinstance(part, str) for line in lines for part, _ in line)
