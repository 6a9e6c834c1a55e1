"""A page names what brought a symptom only where an older release does without it."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.evidence import write_record

REFUTED = {"verdict": "refuted", "shows": {"symptom": False, "remedy": False}}


@pytest.mark.parametrize(
    ("letters", "needed"), [("rc", True), ("cr", False), ("cc", False), ("rr", False)]
)
def test_a_cause_is_of_a_change(check, tmp_path, write_case, make_record, letters, needed):
    """Without one there is nothing to explain."""
    root = tmp_path / "playbooks/catalog"
    holds = [{"torch": "<2"}]
    write_case(root, "guards", "one", devices=["cpu"], holds=holds, since="Torch 2.11 brought it.")
    case = load_catalog(root).by_name["one"]
    for release, letter in zip(("2.9.1", "2.11.0"), letters, strict=True):
        record = make_record(case, torch=release, **(REFUTED if letter == "r" else {}))
        write_record(tmp_path / "playbooks/evidence", record)
    message = "`since`: no release is refuted before the first that shows it; remove it"
    assert any(message in it for it in check()[1]) != needed
