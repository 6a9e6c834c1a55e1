"""A line made from a signature."""

import re

import pytest

from validators.families.sampling import sample_of


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (r"size mismatch at index \d+\. expected \d+", "size mismatch at index 1. expected 1"),
        (r"tensor '.*' rank", "tensor '' rank"),
        (r"(?:one|two) of (three|four)", "one of three"),
        (r"an? (very )?short[.:]$", "a short."),
        (r"\brepr\(\) on [A-Z]{2,4}(?! \()", "repr() on A"),
        (r"\+ \w\s\S [^ab]x*", "+ a a  "),
        (r"a|b", "a"),
    ],
)
def test_a_sample_makes_the_first_choices(pattern, line):
    """Each repetition once, or not at all if it may be left out."""
    assert sample_of(pattern) == line


def test_the_sample_usually_fits():
    """Where a repetition asks for more than one, it does not."""
    assert re.search(r"(?:a|b)c+\.", sample_of(r"(?:a|b)c+\."))
