"""A case's page as title and sections."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.catalog.case import headings


def test_headings_in_fences_are_text():
    """A comment in a code block is no heading; a longer fence holds a shorter one."""
    text = "# A\n```py\n# no\n```\n## B ##\n````\n```\n# no\n````\n~~~\n# no\n~~~\n### C\n#no\n"
    assert [(level, name) for _, level, name in headings(text)] == [(1, "A"), (2, "B"), (3, "C")]


def test_title_and_sections(tmp_path, write_case):
    """Sections end at the next H2; an H3 belongs to its section."""
    body = "# The title\n\n## Symptom\n\nOne.\n\n### Detail\n\nTwo.\n\n## Why\n"
    write_case(tmp_path, "guards", "one", body=body)
    (case,) = load_catalog(tmp_path).cases
    assert case.title == "The title"
    assert case.sections == {"Symptom": "One.\n\n### Detail\n\nTwo.", "Why": ""}


def test_a_page_without_a_title_is_named_by_its_file(tmp_path, write_case):
    """Where the H1 is missing the id stands in."""
    write_case(tmp_path, "guards", "one", body="## Symptom\n")
    assert load_catalog(tmp_path).cases[0].title == "one"


@pytest.mark.parametrize(
    ("fields", "retired"),
    [
        ({}, ""),
        ({"withdrawn": "it was wrong"}, "withdrawn: it was wrong"),
        ({"superseded_by": "two"}, "superseded by two"),
    ],
)
def test_retired_says_why(tmp_path, write_case, fields, retired):
    """A case that is no longer run says so in words."""
    write_case(tmp_path, "guards", "one", **fields)
    assert load_catalog(tmp_path).cases[0].retired == retired


def test_the_limits_of_a_fix_stand_behind_it(tmp_path, write_case):
    """In one sentence, wherever the fix is shown; without a fix there are none."""
    limits = {"items": "each new number of images compiles", "grad": "backward raises"}
    write_case(tmp_path, "guards", "one", fix="Use `split`.", limits=limits)
    write_case(tmp_path, "guards", "two", fix="Use `split`.")
    write_case(tmp_path, "guards", "three", fix="", limits=limits)
    cases = load_catalog(tmp_path).by_name
    said = "Use `split`; each new number of images compiles; backward raises."
    assert cases["one"].fix == said
    assert (cases["two"].fix, cases["three"].fix) == ("Use `split`.", "")


def test_limits_in_the_same_words_are_told_once(tmp_path, write_case):
    """Two ways to call may meet the same trouble."""
    limits = {
        "no_grad": "without gradients it raises",
        "inference_mode": "without gradients it raises",
    }
    write_case(tmp_path, "guards", "one", fix="Use `split`.", limits=limits)
    assert load_catalog(tmp_path).by_name["one"].fix == "Use `split`; without gradients it raises."
