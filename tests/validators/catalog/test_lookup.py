"""The cases that a name stands for."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.catalog.lookup import break_id, load_case, load_cases_about
from validators.errors import CasebookError


@pytest.fixture
def root(tmp_path, write_case):
    """A catalog with a case of each kind, and a page that cannot be read."""
    branch = {"id": "GB0170", "type": "Data-dependent branching"}
    write_case(tmp_path, "guards", "one_name", aliases=["old_name", "gb_print"])
    write_case(tmp_path, "guards", "tensor_branch", graph_break=branch)
    write_case(tmp_path, "memory", "rotary_branch", graph_break=branch)
    write_case(tmp_path, "memory", "names_it_only", claim="A claim that names GB0170 and one_name.")
    write_case(tmp_path, "memory", "broken", kind="GB0170, old_name")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    ["one_name", "one-name", "One-Name", "case:one_name", "old_name", "old-name", " gb_print"],
)
def test_a_name_may_be_an_alias_and_have_hyphens(root, name):
    """As people copy it from a page, an address or a log."""
    assert load_case(root, name).name == "one_name"
    assert load_catalog(root).find(name).name == "one_name"


def test_a_name_comes_before_an_alias(root, write_case):
    """Whatever the order of the areas."""
    write_case(root, "caching", "other", aliases=["tensor_branch"])
    assert load_case(root, "tensor_branch").name == "tensor_branch"


@pytest.mark.parametrize("name", ["GB0170", "gb0170", "gb170", "Gb-170", "gb_00170"])
def test_a_graph_break_leads_to_its_cases(root, name):
    """In any spelling; pages that only name it are not about it."""
    assert break_id(name) == "GB0170"
    assert [it.name for it in load_cases_about(root, "GB0170")] == [
        "tensor_branch",
        "rotary_branch",
    ]


@pytest.mark.parametrize("name", ["gb_print", "gb", "gb12345", "big0170", "0170"])
def test_other_names_are_no_graph_break(name):
    """An alias may begin with gb, too."""
    assert break_id(name) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("one-nam", "no case is named 'one-nam'; did you mean one_name"),
        ("broken", "broken.md:3: `kind`: Invalid enum value"),
    ],
)
def test_an_unknown_name_is_one_sentence(root, name, said):
    """It names what was meant, or the defect of the page that has the name."""
    with pytest.raises(CasebookError, match=said):
        load_case(root, name)


def test_a_catalog_that_is_no_folder(tmp_path):
    """A mistyped --catalog ends in a sentence, whatever is looked for in it."""
    for look in (load_case, load_cases_about):
        with pytest.raises(CasebookError, match="is not a folder; name the catalog"):
            look(tmp_path / "nothing", "GB0170")
