"""What lists show of a case has no quotation marks of YAML in it."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks.written.words import check_words


@pytest.mark.parametrize("field", ["claim", "summary", "fix"])
@pytest.mark.parametrize("mark", ['"', "'"])
def test_text_in_quotation_marks_is_a_problem(tmp_path, write_case, field, mark):
    """The marks were meant for YAML, which `>-` keeps."""
    text = "Call `f(x)` once."
    write_case(tmp_path, "guards", "quoted", **{field: f"{mark}{text}{mark}"})
    write_case(tmp_path, "guards", "plain", **{field: f"{mark}It{mark}: {text}"})
    cases = load_catalog(tmp_path).by_name
    message = f"`{field}` begins and ends with a quotation mark that readers see; remove both"
    assert [problem.message for problem in check_words(cases["quoted"])] == [message]
    assert list(check_words(cases["plain"])) == []


def test_a_title_in_quotation_marks_is_a_problem(tmp_path, write_case):
    """As for the other lines."""
    page = write_case(tmp_path, "guards", "quoted")
    page.write_text(page.read_text().replace("\n# A branch on a tensor\n", '\n# "It is slow"\n'))
    [problem] = check_words(load_catalog(tmp_path).by_name["quoted"])
    assert problem.message.startswith("`title` begins and ends")
