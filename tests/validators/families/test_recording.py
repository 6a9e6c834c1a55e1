"""Recording a release beside others: its part is replaced, and nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.validators.families.conftest import registry
from validators.errors import CasebookError
from validators.families import KINDS, load_families, recorded_releases
from validators.families.recording import read, with_release
from validators.families.stored import KindFile, kind_path, load_kind
from validators.families.torch_source.found import Found
from validators.families.torch_source.graph_breaks import REGISTRY
from validators.families.torch_source.installed import Release

TREE = {
    "_inductor/skips.py": 'format_default_skip_message("incompatible ops")',
    "_dynamo/guards.py": (
        "class GuardBuilder:\n    def NONE_MATCH(self, guard):\n"
        '        code = [f"{self.ref} is None"]\n'
    ),
    "_dynamo/exc.py": "class Failed(RuntimeError):\n    pass\n",
    "_dynamo/source.py": "",
    "_dynamo/other.py": 'log.warning("This warning has more than enough letters")',
}
SUPPORT = "It may be possible to support this."
OLD = {**TREE, "_dynamo/one.py": 'unimplemented(gb_type="A break")'}
OLD[REGISTRY] = registry(GB0001={"type": "A break", "hints": [SUPPORT]}, GB0002="A gone break")
OLD["_dynamo/graph_break_hints.py"] = f'SUPPORTABLE = ["{SUPPORT}"]'
NEW = {**OLD, "_dynamo/one.py": 'unimplemented(gb_type="A break by another name")'}
NEW[REGISTRY] = registry(GB0001={"type": "A break by another name", "hints": ["Other words."]})
NEW["_dynamo/graph_break_hints.py"] = 'SUPPORTABLE = ["Other words."]'


@pytest.fixture
def releases(torch_of):
    """An older and a newer release."""
    return torch_of(OLD, "2.9.1"), torch_of(NEW, "2.13.0")


def contents(playbooks):
    """The text of every recorded file."""
    return {kind: kind_path(playbooks, kind).read_text() for kind in KINDS}


def by_key(playbooks):
    """The families by key."""
    return {it.key: it for it in load_families(playbooks)}


def test_a_family_says_which_release_says_what(tmp_path, releases):
    """The newest words come first; a type that only the registry has is listed, not printed."""
    for release in releases:
        read(tmp_path, release, record=True)
    found = by_key(tmp_path)
    assert [(it.format, it.on) for it in found["GB0001"].said] == [
        ("A break by another name", ("2.13.0",)),
        ("A break", ("2.9.1",)),
    ]
    assert (found["GB0001"].title, found["GB0001"].releases) == (
        "A break by another name",
        ("2.9.1", "2.13.0"),
    )
    assert (found["GB0002"].releases, found["GB0002"].listed) == ((), ("2.9.1",))
    assert found["none-match"].releases == ("2.9.1", "2.13.0")
    assert len(found["none-match"].said) == 1
    assert recorded_releases(tmp_path) == ("2.9.1", "2.13.0")


def test_hints_with_a_name_are_stored_once(tmp_path, releases):
    """And read as the newest release that has them words them."""
    for release in releases:
        read(tmp_path, release, record=True)
    stored = load_kind(tmp_path, "graph_break")
    assert stored.families["GB0001"].said[0].hints == ("SUPPORTABLE",)
    said = by_key(tmp_path)["GB0001"].said
    assert [it.hints for it in said] == [("Other words.",), (SUPPORT,)]


def test_recording_again_changes_nothing(tmp_path, releases):
    """Whatever the order, the files are the same."""
    for release in releases:
        read(tmp_path, release, record=True)
    first = contents(tmp_path)
    for release in (*reversed(releases), releases[0]):
        read(tmp_path, release, record=True)
    assert contents(tmp_path) == first
    other = tmp_path / "other"
    for release in reversed(releases):
        read(other, release, record=True)
    assert contents(other) == first


def test_a_release_replaces_only_its_part(tmp_path, releases, torch_of):
    """What it no longer says goes, unless another release says it."""
    for release in releases:
        read(tmp_path, release, record=True)
    changed = torch_of({**NEW, "_dynamo/exc.py": "class Other(RuntimeError):\n    pass\n"})
    told = {it.kind: it for it in read(tmp_path, changed, record=True)}
    assert told["exception"].new == ("Other",)
    found = by_key(tmp_path)
    assert found["Failed"].releases == ("2.9.1",)
    assert found["Other"].releases == ("2.13.0",)


def test_reading_without_recording_says_what_would_change(tmp_path, releases):
    """And writes nothing."""
    told = {it.kind: it for it in read(tmp_path, releases[0], record=False)}
    assert (told["graph_break"].known, told["graph_break"].new) == (2, ("GB0001", "GB0002"))
    assert not (tmp_path / "families").exists()
    read(tmp_path, releases[0], record=True)
    later = releases[1].__class__("2.9.1", releases[1].folder)
    told = {it.kind: it for it in read(tmp_path, later, record=False)}
    assert told["graph_break"].gone == ("GB0002",)


def test_each_family_is_one_line(tmp_path, releases):
    """So that a diff shows which changed; the file says whose words these are."""
    read(tmp_path, releases[0], record=True)
    text = contents(tmp_path)["graph_break"]
    (line,) = (it for it in text.split("\n") if '"GB0001"' in it)
    assert json.loads("{" + line.strip().rstrip(",") + "}")
    assert "BSD-3-Clause" in text


@pytest.mark.parametrize("order", [("2.9.1", "2.13.0"), ("2.13.0", "2.9.1")])
def test_files_and_names_come_from_the_newest_release(order):
    """Two files of one release that say the same are both told."""
    found = {
        "2.9.1": [Found(key="k", format="got {x}", file="old.py")],
        "2.13.0": [
            Found(key="k", format="got {y}", file="b.py"),
            Found(key="k", format="got {y}", file="a.py"),
        ],
    }
    stored = KindFile()
    for torch in order:
        stored = with_release(stored, "warning", Release(torch, Path("nowhere")), found[torch])
    (said,) = stored.families["k"].said
    assert (said.format, said.files, said.on) == ("got {y}", ("a.py", "b.py"), ("2.9.1", "2.13.0"))


def test_another_hint_is_told_apart():
    """The rest of the words are the same."""
    stored = KindFile()
    for torch, hints in (("2.9.1", ("Try.",)), ("2.13.0", ("Do not.",))):
        found = [Found(key="GB0001", format="A break", hints=hints)]
        stored = with_release(stored, "guard", Release(torch, Path("nowhere")), found)
    said = stored.families["GB0001"].said
    assert [(it.hints, it.on) for it in said] == [
        (("Do not.",), ("2.13.0",)),
        (("Try.",), ("2.9.1",)),
    ]


def test_a_long_format_is_cut_outside_its_holes():
    """The first words tell what it is."""
    found = [Found(key="k", format="word " * 79 + "{a_name} and more")]
    release = Release("2.13.0", Path("nowhere"))
    (said,) = with_release(KindFile(), "warning", release, found).families["k"].said
    assert said.format == "word " * 79 + "…"


def test_a_reader_that_finds_nothing_is_an_error(tmp_path, torch_of):
    """Torch may have been rewritten; only graph breaks may be missing."""
    tree = {name: text for name, text in TREE.items() if "skips" not in name}
    release = torch_of(tree, "2.5.1")
    with pytest.raises(CasebookError, match="holds no cudagraph_skip that the reader knows"):
        read(tmp_path, release, record=True)
    assert not (tmp_path / "families").exists()
    read(tmp_path, torch_of(TREE, "2.5.1"), record=True)


def test_a_damaged_file_is_named(tmp_path, releases):
    """With the fix."""
    read(tmp_path, releases[0], record=True)
    kind_path(tmp_path, "guard").write_text("{")
    with pytest.raises(CasebookError, match=r"guard\.json: is damaged .* restore it, or delete it"):
        load_families(tmp_path)


def test_the_same_message_under_two_keys(tmp_path, torch_of):
    """The registry of torch 2.11 has two ids for one type."""
    tree = {
        **TREE,
        REGISTRY: registry(GB0249=["A new type", "A bad device"], GB0286="A bad device"),
    }
    tree["_dynamo/one.py"] = 'unimplemented(gb_type="A bad device")'
    read(tmp_path, torch_of(tree), record=True)
    found = by_key(tmp_path)
    assert found["GB0249"].same == ("GB0286",)
    assert found["GB0286"].same == ("GB0249",)
    assert found["none-match"].same == ()
