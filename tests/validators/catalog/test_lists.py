"""The two kinds of list beside the catalog: whatever stands in one, its defects are sentences."""

from __future__ import annotations

import pytest

from validators.catalog.gpu_order import FILE, load_gpu_order
from validators.catalog.sources import load_sources

HEAD = f"---\ntitle: A\nabout: It.\nlines: 9\nsha256: {'a' * 64}\nno_claim: [1-8]\n"
DECIDED = "{at: [9], claim: It., undecidable: release, because: None ran it.}"
NO_WAY = (
    "names none of `supported_by`, `refuted_by`, `rebuilt_by` and `undecidable`; name exactly one"
)


@pytest.mark.parametrize(
    ("entries", "line", "message"),
    [
        ("entries:\n", 7, "`entries`: Expected `array`, got `null`; correct the value"),
        ("entries: []\n", 7, "`entries`: Expected `array` of length >= 1; correct the value"),
        ("entries: [{at: [9], claim: A.}]\n", 7, NO_WAY),
        ("<<: {entries: [{at: [9], claim: A.}]}\n", 1, NO_WAY),
        (f'"entries": [{DECIDED}]\nentries: []\n', 8, "`entries` appears twice; keep one"),
        ("entries:\r\n  - {at: [9], claim: A.}\r\n", 8, NO_WAY),
        (f"entries: [{DECIDED}]\n---\n", 8, "is not YAML (but found another document); quote"),
    ],
)
def test_a_defect_of_a_source_has_its_line(tmp_path, entries, line, message):
    """However the list is written; what cannot be placed is on its first line."""
    (tmp_path / "list.yaml").write_text(HEAD + entries, newline="")
    (problem,) = load_sources(tmp_path)[1]
    assert problem.line == line
    assert problem.message.startswith(message)


def test_a_source_that_is_no_file_is_said(tmp_path):
    """A folder may have a list's name."""
    (tmp_path / "list.yaml").mkdir()
    sources, (problem,) = load_sources(tmp_path)
    assert sources == []
    assert problem.message == "cannot be read (Is a directory); fix the file"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not begin with a line `---`; add one"),
        ("---\n- a\n", "`front matter`: Expected `object`, got `array`; correct the value"),
        ("---\nfirst:\n", "`first`: Expected `array`, got `null`; correct the value"),
        ("---\nfirst: [{case: a}]\n", "lacks `first[0].why`; add it to the front matter"),
    ],
)
def test_a_defect_of_the_order_for_a_gpu_is_said(tmp_path, text, message):
    """And the order is then an empty one."""
    (tmp_path / FILE).write_text(text)
    order, (problem,) = load_gpu_order(tmp_path)
    assert order.names == ()
    assert problem.message == message


def test_without_a_list_there_is_no_order(tmp_path):
    """Neither is an empty list a defect."""
    assert load_gpu_order(tmp_path)[0].names == ()
    assert load_gpu_order(tmp_path)[1] == []
    (tmp_path / FILE).write_text("---\nfirst: []\n")
    assert load_gpu_order(tmp_path)[1] == []
