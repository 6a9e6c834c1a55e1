"""The programs before and after the fix, as they stand on a page."""

from __future__ import annotations

import pytest

from validators.catalog.example import example_of, programs, without_example

BEFORE = '```python title="before"\na = 1\n```\n'
AFTER = '```python title="after"\na = 2\n\nb = 3\n```\n'


def test_both_programs_are_read_with_their_lines():
    """The line is that of the program's first, counted from the text's first."""
    text = f"# T\n\n## Example\n\n{BEFORE}\n{AFTER}\n## Symptom\n"
    example = example_of(text)
    assert example is not None
    assert (example.before.code, example.before.line) == ("a = 1\n", 5)
    assert (example.of("after").code, example.after.line) == ("a = 2\n\nb = 3\n", 9)
    assert text.split("\n")[example.after.line] == "a = 2"


@pytest.mark.parametrize("text", ["", BEFORE, AFTER + BEFORE, BEFORE + BEFORE + AFTER])
def test_half_an_example_is_none(text):
    """One side, or both the wrong way round."""
    assert example_of(text) is None


def test_other_blocks_are_no_programs():
    """A block without a title is prose, and so is one that only speaks of it."""
    assert programs("```python\nbefore\n```\n```\ntitle=before\n```\n") == []


def test_the_page_without_it_has_as_many_lines():
    """So that what is said of a line of the page is said of the right one."""
    text = f"# T\n\n## Example\n\n{BEFORE}\n{AFTER}\n## Symptom\n\nS.\n"
    rest = without_example(text)
    assert "a = 1" not in rest and "Example" not in rest
    assert rest.split("\n").index("## Symptom") == text.split("\n").index("## Symptom")
