"""References are made of front matter, evidence and examples, in files for one reading."""

from __future__ import annotations

from pathlib import Path

from tests.validators.skillpack.conftest import PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.evidence.examples import SILENT
from validators.skillpack.references import MOST_CHARACTERS, files


def made(world: PackWorld, skill: str = NAMES[0]) -> dict[str, str]:
    """The references of a skill by file name."""
    folder = Path("skills") / skill / "references"
    found = files(*world.read())
    return {it.name: data.decode() for it, data in found.items() if it.parent == folder}


def test_a_section_says_what_is_seen_the_fix_and_where_it_holds(pack_world: PackWorld) -> None:
    """And shows both programs."""
    pack_world.decide("one", "2.15.0", "refuted")
    text = made(pack_world)["graph_breaks.md"]
    section = text[text.index("## one") : text.index("## two")]
    assert "- In the log: `OneError: one 'x' broke`\n" in section
    assert "- Fix: Use `y`.\n" in section
    assert "- Holds: confirmed on torch 2.13.0 (CPU); refuted: it does not happen on" in section
    assert "Before:\n\n```python\nimport torch\none(1)\n```\n" in section
    assert "After:\n\n```python\nimport torch\none(2)\n```\n" in section


def test_the_index_names_the_lines_of_each_section(pack_world: PackWorld) -> None:
    """From the heading to the end of the second program."""
    texts = made(pack_world)
    (line,) = [it for it in texts["index.md"].splitlines() if "#two " in it]
    assert line.startswith("TwoError: two 'x' broke | ")
    first, last = map(int, line.rsplit(" ", 1)[1].split("-"))
    section = texts["graph_breaks.md"].splitlines()[first - 1 : last]
    assert section[0] == "## two"
    assert section[-1] == "```"
    assert last == len(texts["graph_breaks.md"].splitlines())


def test_a_skill_holds_its_areas_and_what_it_cites(pack_world: PackWorld) -> None:
    """The second one has no area and cites `one`; a withdrawn case is in neither."""
    assert "## two" not in made(pack_world, NAMES[1])["graph_breaks.md"]
    pack_world.case("two", withdrawn="It was wrong.")
    assert "## two" not in made(pack_world)["graph_breaks.md"]
    assert "## one" in made(pack_world)["graph_breaks.md"]


def test_wordings_of_other_releases_are_found(pack_world: PackWorld) -> None:
    """One that differs in numbers and names alone is left out; newest first."""
    pack_world.decide("one", "2.9.1", line="torch.E.OneError: one 'y' broke")
    pack_world.decide("one", "2.15.0", line="a new text")
    (line,) = [it for it in made(pack_world)["index.md"].splitlines() if "#one " in it]
    assert line.startswith("a new text / OneError: one 'x' broke | ")


def test_what_prints_nothing_is_found_by_what_one_sees(pack_world: PackWorld) -> None:
    """A line such as OK tells as little as none."""
    pack_world.decide("one", "2.13.0", line=SILENT)
    pack_world.decide("two", "2.13.0", line="OK")
    texts = made(pack_world)
    lines = [it for it in texts["index.md"].splitlines() if it.startswith("silent: T. ")]
    assert len(lines) == 2
    assert texts["graph_breaks.md"].count("- In the log: nothing.\n") == 2


def test_a_case_that_never_ran_shows_its_signature(pack_world: PackWorld) -> None:
    """And without one says that it has not run."""
    pack_world.case("three", signatures=["skipping x due to \\d+"])
    pack_world.case("four")
    lines = made(pack_world)["index.md"].splitlines()
    assert any(it.startswith("skipping x due to | ") and "#three " in it for it in lines)
    assert any(it.startswith("not run: T. ") and "#four " in it for it in lines)
    assert "undecided on a CPU" in made(pack_world)["graph_breaks.md"]


def test_an_area_is_split_by_letters(pack_world: PackWorld) -> None:
    """Each file is short, and the names say which letters it holds."""
    letters = "abcdefghijklmnop"
    for letter in letters:
        pack_world.case(f"s{letter}_case", summary="long " * 150)
    texts = made(pack_world)
    assert all(len(it) <= MOST_CHARACTERS + 200 for name, it in texts.items() if "-" in name)
    assert sorted(texts)[:2] == ["graph_breaks-o-se.md", "graph_breaks-sf-sk.md"]
    named = [it for name, it in texts.items() if "-" in name]
    assert all(any(f"## s{letter}_case\n" in it for it in named) for letter in letters)


def test_the_same_inputs_give_the_same_bytes(pack_world: PackWorld) -> None:
    """Whatever was read before."""
    assert files(*pack_world.read()) == files(*pack_world.read())
