"""References are made of front matter, evidence and examples, in files for one reading."""

from __future__ import annotations

from pathlib import Path

from tests.validators.skillpack.conftest import PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.evidence.stored.examples import SILENT
from validators.skillpack.references import MOST_CHARACTERS, files


def made(world: PackWorld, skill: str = NAMES[0]) -> dict[str, str]:
    """The references of a skill by file name."""
    folder = Path("skills") / skill / "references"
    found = files(*world.read())
    return {it.name: data.decode() for it, data in found.items() if it.parent == folder}


def heading(world: PackWorld, case: str) -> str:
    """The heading of a case's section."""
    lines = made(world)["graph_breaks.md"].splitlines()
    (found,) = [line for line in lines if line.startswith(f"## {case} ")]
    return found


def test_a_section_says_what_is_seen_the_fix_and_where_it_holds(pack_world: PackWorld) -> None:
    """And shows what the fix changes."""
    pack_world.decide("one", "2.15.0", "refuted")
    text = made(pack_world)["graph_breaks.md"]
    section = text[text.index("## one") : text.index("## two")]
    assert section.startswith("## one | OneError: one 'x' broke\n")
    assert "\n- Fix: Use `y`.\n" in section
    said = "Affects torch 2.13.0 (CPU); fixed since torch 2.15.0 (CPU); undecided on a GPU."
    assert f"\n- {said}\n" in section
    assert "\n```diff\n import torch\n-one(1)\n+one(2)\n```\n" in section, section


def test_a_skill_holds_its_areas_and_what_it_cites(pack_world: PackWorld) -> None:
    """The first has limitations alone, the second no area; a withdrawn case is in neither."""
    pack_world.case("three", kind="practice")
    assert "## three" not in made(pack_world)["graph_breaks.md"]
    assert "## two" not in made(pack_world, NAMES[1])["graph_breaks.md"]
    pack_world.case("two", withdrawn="It was wrong.")
    assert "## two" not in made(pack_world)["graph_breaks.md"]
    assert "## one" in made(pack_world)["graph_breaks.md"]


def test_wordings_of_other_releases_are_found(pack_world: PackWorld) -> None:
    """One that differs in numbers and names alone is left out; newest first."""
    pack_world.decide("one", "2.9.1", line="torch.E.OneError: one 'y' broke")
    pack_world.decide("one", "2.15.0", line="a new text")
    assert heading(pack_world, "one") == "## one | a new text / OneError: one 'x' broke"


def test_what_prints_nothing_is_silent(pack_world: PackWorld) -> None:
    """A line such as OK tells as little as none."""
    pack_world.decide("one", "2.13.0", line=SILENT)
    pack_world.decide("two", "2.13.0", line="OK")
    assert heading(pack_world, "one") == "## one | silent"
    assert heading(pack_world, "two") == "## two | silent"


def test_a_case_that_never_ran_shows_its_signature(pack_world: PackWorld) -> None:
    """And without one says that it has not run."""
    pack_world.case("three", signatures=["skipping x due to \\d+"])
    pack_world.case("four")
    assert heading(pack_world, "three") == "## three | skipping x due to"
    assert heading(pack_world, "four") == "## four | not run"
    assert "- Undecided on a CPU" in made(pack_world)["graph_breaks.md"]


def test_an_area_is_split_by_letters(pack_world: PackWorld) -> None:
    """Each file is short, and the names say which letters it holds."""
    letters = "abcdefghijklmnop"
    for letter in letters:
        pack_world.case(f"s{letter}_case", summary="long " * 150)
    texts = made(pack_world)
    assert all(len(it) <= MOST_CHARACTERS + 200 for name, it in texts.items() if "-" in name)
    assert sorted(texts)[:2] == ["graph_breaks-o-sf.md", "graph_breaks-sg-sl.md"]
    named = [it for name, it in texts.items() if "-" in name]
    assert all(any(f"## s{letter}_case |" in it for it in named) for letter in letters)


def test_the_same_inputs_give_the_same_bytes(pack_world: PackWorld) -> None:
    """Whatever was read before."""
    assert files(*pack_world.read()) == files(*pack_world.read())
