"""What the casebook says of itself, and what holds where it says nothing."""

from __future__ import annotations

import pytest

from tests.world import name_casebook
from validators.catalog import load_catalog
from validators.catalog.casebook import UNNAMED, default_catalog, load_casebook
from validators.cli.places import Places

HEAD = "---\ntitle: Floating point\nabout: What `float` does.\ndescription: Floats.\n"


@pytest.fixture
def root(tmp_path, write_case):
    """A catalog of two cases."""
    root = tmp_path / "playbooks" / "catalog"
    for area, name in (("b_last", "two"), ("a_first", "one")):
        write_case(root, area, name)
    return root


def test_the_areas_are_those_of_the_file_in_its_order(root):
    """Also those that hold no case yet."""
    (root.parent / "casebook.yaml").write_text(HEAD + "areas: [b_last, none_yet, a_first]\n")
    catalog = load_catalog(root)
    assert catalog.problems == ()
    assert catalog.casebook.title == "Floating point"
    assert [case.area for case in catalog.cases] == ["b_last", "a_first"]


def test_a_folder_that_the_file_does_not_list_is_no_area(root):
    """Its cases are not read, and the problem says which areas there are."""
    (root.parent / "casebook.yaml").write_text(HEAD + "areas: [a_first]\n")
    catalog = load_catalog(root)
    assert [case.area for case in catalog.cases] == ["a_first"]
    assert [p.message for p in catalog.problems] == ["'b_last' is not an area; use one of a_first"]


def test_without_the_file_every_folder_is_an_area(root):
    """In alphabetical order."""
    catalog = load_catalog(root)
    assert [case.area for case in catalog.cases] == ["a_first", "b_last"]
    assert catalog.problems == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("title: A\n", 1, "does not begin with a line `---`; add one"),
        (f"{HEAD}areas: [a, b, a]\n", 5, "`areas`: 'a' appears twice; keep one"),
        (f"{HEAD}areas: []\n", 5, "`areas`: Expected `array` of length >= 1; correct the value"),
        (f"{HEAD}areas: [../up]\n", 5, "`areas[0]`: Expected `str` matching regex"),
        (f'{HEAD}areas: ["a\\n"]\n', 5, "`areas[0]`: Expected `str` matching regex"),
        ("---\ntitle: A\n", 1, "lacks `about`; add it to the front matter"),
        ('---\ntitle: "A\\nB"\n', 2, "`title`: Expected `str` matching regex"),
        (f"{HEAD}areas: [a]\nlogo: b\n", 6, "`logo` is not a field; remove it or fix"),
    ],
)
def test_a_defect_of_the_file_is_one_problem(root, text, line, message):
    """No page is blamed for it; whatever stands there, `check` and the site say the same."""
    (root.parent / "casebook.yaml").write_text(text)
    found = [p for p in load_catalog(root).problems if p.path.name == "casebook.yaml"]
    assert [p.line for p in found] == [line]
    assert found[0].message.startswith(message)


def test_a_file_that_is_none(root):
    """A folder may have its name."""
    (root.parent / "casebook.yaml").mkdir()
    casebook, (problem,) = load_casebook(root)
    assert casebook is UNNAMED
    assert problem.message == "cannot be read (Is a directory); fix it"


def test_commands_take_the_catalog_of_the_working_directory(root, monkeypatch):
    """Elsewhere, or where the folder is no casebook, they take the one that they came with."""
    monkeypatch.chdir(root.parent.parent)
    assert default_catalog() != root
    name_casebook(root)
    assert default_catalog() == root
    assert Places(default_catalog()).local == root.parent.parent / "build" / "evidence"
    monkeypatch.chdir(root)
    assert default_catalog() != root
    assert load_casebook(default_catalog())[0].title == "torch.compile Casebook"
