"""Soaks of examples, kept by case and column."""

from __future__ import annotations

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.errors import CasebookError
from validators.evidence.stored.soaks import (
    Soak,
    current_soaks,
    load_soaks,
    merge_soaks,
    soak_digest,
    soaks_file,
    write_soak,
)

COLUMN = "torch-2.13.0-cpu"
SOAK = Soak(digest="d", torch="2.13.0", held=["calls"], limits={"grad": "raises TypeError"})


def test_only_news_is_merged(tmp_path):
    """One line per column; what is there already is not told again."""
    here, there = tmp_path / "here", tmp_path / "there"
    write_soak(here, "a", COLUMN, SOAK)
    write_soak(here, "a", "torch-2.15.0-cpu", SOAK)
    key = ("a", COLUMN)
    assert merge_soaks(there, load_soaks(here), [key]) == [f"a {COLUMN}"]
    assert load_soaks(there)["a"].columns == {COLUMN: SOAK}
    assert merge_soaks(there, load_soaks(here), [key]) == []


def test_a_damaged_file_is_named(tmp_path):
    """And nothing of it is taken; whoever writes begins it anew."""
    write_soak(tmp_path, "a", COLUMN, SOAK)
    soaks_file(tmp_path, "a").write_text('{"columns": {"x": {"limits": {"moon": "full"}}}}')
    damaged = []
    assert load_soaks(tmp_path, damaged) == {}
    assert "holds no soaks" in damaged[0].message
    with pytest.raises(CasebookError, match="delete it and soak the example again"):
        load_soaks(tmp_path)
    write_soak(tmp_path, "a", COLUMN, SOAK)
    assert load_soaks(tmp_path)["a"].columns == {COLUMN: SOAK}


def test_a_soak_is_current_while_the_fixed_program_stays(tmp_path, write_case):
    """The program before the fix, and prose, do not matter; a soak that broke says nothing."""

    def case(before: str = "a = 1", after: str = "b = 2", **fields):
        write_case(tmp_path, "guards", "a", body=page_with_example(before, after), **fields)
        return load_catalog(tmp_path).by_name["a"]

    digest = soak_digest(case())
    assert soak_digest(case("a = 3", claim="Another.", summary="Another.")) == digest
    assert len({digest, soak_digest(case(after="b = 3")), soak_digest(case(fresh=True))}) == 3
    for column, fields in (("x", {}), ("y", {"digest": "old"}), ("z", {"error": "it broke"})):
        told = {"digest": digest, "torch": "2.13.0", "held": ["calls"]} | fields
        write_soak(tmp_path, "a", column, Soak(**told))
    assert list(current_soaks(load_soaks(tmp_path), case())) == ["x"]
