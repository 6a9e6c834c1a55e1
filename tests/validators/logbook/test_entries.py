"""A log entry's name and its scaffold, which `check` refuses until a person has written it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import UsageError

from tests.validators.logbook.conftest import problems, run
from tests.world import World, front
from validators.errors import CasebookError
from validators.logbook.entries import LONGEST_SLUG, slug_of


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("torch-2.13.0-cpu to HEAD~1:x", "torch-2-13-0-cpu-to-head-1-x"),
        ("Größe & `code`", "groe-code"),
        ("", ""),
        ("\u6f22 ---", ""),
        ("word " * 99, "-".join(["word"] * 12)),
        ("a" * 99, "a" * LONGEST_SLUG),
    ],
)
def test_a_slug_is_words_in_ascii(title: str, slug: str) -> None:
    """No longer than a file's name may well be, and cut between words where it can be."""
    assert slug_of(title) == slug


def test_a_new_entry_is_refused_until_it_is_written(world: World) -> None:
    """The scaffold is an entry in every respect but that."""
    world.case("one", front())
    run(world, "new-entry", "a-first-look", "--type", "plan", "--date", "2026-11-22")
    text = (world.root / "playbooks/logs/2026-11-22-a-first-look.md").read_text("utf-8")
    assert "\ntype: plan\n" in text
    assert "\n# A first look\n" in text
    said = problems(world)
    assert len(said) == text.count("REWRITE:") == 4
    assert all("REWRITE:" in it for it in said)
    world.write("playbooks/logs/2026-11-22-a-first-look.md", text.replace("REWRITE:", "Because"))
    assert problems(world) == []


def test_no_entry_is_overwritten(world: World) -> None:
    """Neither by a scaffold nor by a draft."""
    world.case("fixed", front())
    world.record("fixed", "2.13.0")
    world.record("fixed", "2.15.0", verdict="refuted")
    file = world.write("playbooks/logs/2026-11-22-x.md", "mine")
    with pytest.raises(CasebookError, match=r"2026-11-22-x\.md: already exists"):
        run(world, "new-entry", "x", "--date", "2026-11-22")
    compared = "--from", "torch-2.13.0-cpu", "--to", "torch-2.15.0-cpu"
    with pytest.raises(CasebookError, match="already exists"):
        run(world, "draft-entry", *compared, "--out", file)
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("slug", ["", "Two Words", "../up", "a--b", "a\n"])
def test_names_that_no_entry_can_have(world: World, slug: str) -> None:
    """A name is part of an address."""
    with pytest.raises(CasebookError, match="is not the name of an entry"):
        run(world, "new-entry", slug)


def test_a_date_that_is_none(world: World) -> None:
    """Dates are given as the front matter has them."""
    with pytest.raises(UsageError, match="does not match the format"):
        run(world, "new-entry", "x", "--date", "yesterday")


def test_a_catalog_that_is_not_there(tmp_path: Path) -> None:
    """Nothing is written beside nothing."""
    with pytest.raises(CasebookError, match="catalog: is not a folder; name the catalog"):
        run(World(tmp_path), "new-entry", "x")
