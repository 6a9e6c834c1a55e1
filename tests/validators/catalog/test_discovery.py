"""Finding cases and naming them."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.errors import CasebookError


def test_cases_come_by_area_and_name(tmp_path, write_case):
    """The order is that of the file system's names, whatever order they were written in."""
    for area, name in [("memory", "b"), ("memory", "a"), ("guards", "c")]:
        write_case(tmp_path, area, name)
    catalog = load_catalog(tmp_path)
    assert [(case.area, case.name) for case in catalog.cases] == [
        ("guards", "c"),
        ("memory", "a"),
        ("memory", "b"),
    ]
    assert catalog.problems == ()


def test_find_takes_ids_and_aliases(tmp_path, write_case):
    """An old name leads to the case that has it now."""
    write_case(tmp_path, "guards", "new_name", aliases=["old_name"])
    catalog = load_catalog(tmp_path)
    assert catalog.find("old_name") is catalog.find("new_name")


def test_find_suggests_near_names(tmp_path, write_case):
    """A misspelt name ends in a sentence with what was meant."""
    write_case(tmp_path, "guards", "expand_ids")
    with pytest.raises(CasebookError, match=r"'expand_id'; did you mean expand_ids\?"):
        load_catalog(tmp_path).find("expand_id")
    with pytest.raises(CasebookError, match="`list` shows all cases"):
        load_catalog(tmp_path).find("zzz")


def test_find_says_why_a_case_cannot_be_read(tmp_path, write_case):
    """It is there for all to see; that there is none would be no help."""
    write_case(tmp_path, "guards", "bad", kind="rumour")
    with pytest.raises(CasebookError, match=r"bad\.md:3: `kind`: Invalid enum value"):
        load_catalog(tmp_path).find("bad")


def test_a_defect_costs_its_own_case_only(tmp_path, write_case):
    """The readable cases are there although another cannot be read."""
    write_case(tmp_path, "guards", "good")
    write_case(tmp_path, "guards", "bad", kind="rumour")
    catalog = load_catalog(tmp_path)
    assert [case.name for case in catalog.cases] == ["good"]
    assert len(catalog.problems) == 1


def test_a_page_that_the_system_will_not_read(tmp_path, write_case):
    """A folder named like a page is a problem with the system's own reason."""
    write_case(tmp_path, "guards", "good")
    (tmp_path / "guards/folder.md").mkdir()
    (problem,) = load_catalog(tmp_path).problems
    assert problem.message == "cannot be read (Is a directory); fix the file"


def test_names_and_aliases_share_one_space(tmp_path, write_case):
    """An alias may not be another case's name, nor another's alias, nor its own name."""
    write_case(tmp_path, "guards", "one", aliases=["two", "three"])
    write_case(tmp_path, "guards", "two", aliases=["three", "two"])
    messages = sorted(problem.message for problem in load_catalog(tmp_path).problems)
    assert messages == [
        "'three' already names guards/one; rename one",
        "'two' already names guards/two; rename one",
        "'two' already names guards/two; rename one",
    ]


def test_a_catalog_that_is_no_folder(tmp_path):
    """A mistyped --catalog ends in a sentence."""
    with pytest.raises(CasebookError, match="is not a folder; name the catalog with --catalog"):
        load_catalog(tmp_path / "nothing")
