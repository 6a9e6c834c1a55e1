"""A claim that is confirmed on a CPU was also run without compiling."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.evidence import write_record

UNASKED = "nobody ran it without compiling since its judge changed"
REFUTED = {"verdict": "refuted", "shows": {"symptom": False, "remedy": False}}


@pytest.mark.parametrize(
    ("records", "missing"),
    [
        ([{"witnesses": {}}], True),
        ([{}], False),
        ([{"witnesses": {}}, {}], False),
        ([{"witnesses": {"audit": "agrees"}}], True),
        ([REFUTED | {"witnesses": {}}], False),
    ],
)
def test_a_column_tells_what_happens_without_compiling(
    check, tmp_path, write_case, make_record, records, missing
):
    """One of its columns is enough, and a claim that no CPU confirms needs none."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "one", devices=["cpu"], holds=[{"torch": ">=2.11"}])
    case = load_catalog(root).by_name["one"]
    for release, fields in zip(("2.13.0", "2.15.0"), records, strict=False):
        write_record(tmp_path / "playbooks/evidence", make_record(case, torch=release, **fields))
    assert any(UNASKED in problem for problem in check()[1]) == missing


@pytest.mark.parametrize(
    ("training", "seen", "problem"),
    [
        ("", "refuted", "`training`: with backward passes the claim is refuted"),
        ("", "confirmed", ""),
        ("", None, ""),
        ("With gradients the call compiles.", "refuted", ""),
        ("With gradients the call compiles.", "confirmed", "with backward passes every verdict"),
        ("With gradients the call compiles.", None, ""),
    ],
)
def test_a_page_says_what_is_different_in_training(
    check, tmp_path, write_case, make_record, training, seen, problem
):
    """Only where the arms were asked, and answered, does a page need the sentence."""
    root = tmp_path / "playbooks/catalog"
    fields = {"training": training} if training else {}
    write_case(root, "guards", "one", devices=["cpu"], **fields)
    case = load_catalog(root).by_name["one"]
    witnesses = {"uncompiled": "refuted"} | ({"training": seen} if seen else {})
    write_record(tmp_path / "playbooks/evidence", make_record(case, witnesses=witnesses))
    problems = [it for it in check()[1] if "backward passes" in it]
    assert bool(problems) == bool(problem)
    assert all(problem in it for it in problems)
