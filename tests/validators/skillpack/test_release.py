"""For one release of torch the skills hold only what holds there."""

from __future__ import annotations

import pytest

from tests.validators.skillpack.conftest import SKILL, PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.errors import CasebookError
from validators.skillpack.release import Release, texts

LISTS = """
- A loop recompiles (`case:one`).
- A hook breaks the graph (`case:two`).

1. Search SKILL/references.
"""


def made(world: PackWorld, torch: str) -> dict[str, str]:
    """The texts of the skills, by their paths."""
    repository, pack = world.read()
    found = texts(Release(repository, torch), pack, "2026-11-28")
    return {path.as_posix(): data.decode() for path, data in found.items()}


def cases(world: PackWorld, torch: str) -> str:
    """What the references say."""
    return made(world, torch)[f"{NAMES[0]}/references/cases.md"]


def test_a_case_that_holds_is_two_lines(pack_world: PackWorld) -> None:
    """Name, what the release prints, fix; a refuted case is left out."""
    pack_world.decide("one", "2.15.0", line="torch.E.OneError: a newer text")
    pack_world.decide("two", "2.15.0", "refuted")
    text = cases(pack_world, "2.15.0")
    assert "\n## one | OneError: a newer text\nUse `y`.\n" in text
    assert "two" not in text
    assert "\n## one | OneError: one 'x' broke\nUse `y`.\n" in cases(pack_world, "2.13.0")


def test_what_is_silent_or_unfixed_says_so(pack_world: PackWorld) -> None:
    """By its title, and before the fix."""
    pack_world.decide("one", "2.13.0", "remedy-failed", line="its own assertion fails")
    assert "\n## one | T\nThe fix fails here: Use `y`.\n" in cases(pack_world, "2.13.0")


def test_a_fix_that_the_release_lacks_says_so(pack_world: PackWorld) -> None:
    """The case holds; nobody tried its fix there."""
    lacks = "the remedy needs `torch.x`, which torch 2.13.0 lacks"
    pack_world.decide("one", "2.13.0", "remedy-failed", reason=lacks)
    assert "Not tried here: Use `y`.\n" in cases(pack_world, "2.13.0")


def test_trouble_of_another_kind_leaves_a_case_undecided(pack_world: PackWorld) -> None:
    """It may be the same in other words."""
    pack_world.decide("two", "2.13.0", "refuted", reason="the symptom left 1 graph break")
    pack_world.decide("one", "2.13.0")
    assert "\nUndecided on torch 2.13.0: two.\n" in cases(pack_world, "2.13.0")


def test_lines_of_logs_are_shorter_where_a_release_takes_too_much(
    pack_world: PackWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names and fixes stay, even if they take too much."""
    pack_world.decide("one", "2.15.0", line="torch.E.OneError: a newer text")
    taken = sum(len(text.encode()) for text in made(pack_world, "2.15.0").values())
    limit = "validators.skillpack.release.MOST_BYTES"
    monkeypatch.setattr(limit, taken - 1)
    assert "\n## one | OneError: …\nUse `y`.\n" in cases(pack_world, "2.15.0")
    monkeypatch.setattr(limit, 0)
    assert "\n## one\nUse `y`.\n" in cases(pack_world, "2.15.0")


def test_an_undecided_case_is_named(pack_world: PackWorld) -> None:
    """No program decided it, so no line says that it holds."""
    pack_world.decide("one", "2.15.0")
    assert "\nUndecided on torch 2.15.0: two.\n" in cases(pack_world, "2.15.0")


def test_a_skill_says_only_what_holds(pack_world: PackWorld) -> None:
    """Not decided is not holding; the references of all skills are one search."""
    pack_world.skill(NAMES[1], SKILL + LISTS)
    pack_world.decide("one", "2.15.0")
    text = made(pack_world, "2.15.0")[f"{NAMES[1]}/SKILL.md"]
    assert "- A loop" in text
    assert "case:two" not in text
    assert "1. Search SKILL/../*/references." in text


def test_a_skill_says_what_it_was_made_for(pack_world: PackWorld) -> None:
    """Below its title; its front matter stays."""
    text = made(pack_world, "2.13.0")[f"{NAMES[0]}/SKILL.md"]
    assert text.startswith(f"---\nname: {NAMES[0]}\n")
    assert f"\n# {NAMES[0]}\n\nFor torch 2.13.0, 2026-11-28; " in text


def test_each_case_stands_once(pack_world: PackWorld) -> None:
    """In the skill that holds whole areas."""
    texts = made(pack_world, "2.13.0")
    assert sum(text.count("\n## one | ") for text in texts.values()) == 1


@pytest.mark.parametrize("cited", [True, False])
def test_a_practice_is_there_if_a_skill_cites_it(pack_world: PackWorld, cited: bool) -> None:
    """Nobody who reads a log looks for one."""
    file = pack_world.root / "playbooks" / "skills.yaml"
    file.write_text(file.read_text().replace("  kinds:\n  - limitation\n", ""))
    pack_world.case("three", kind="practice")
    pack_world.decide("three", "2.13.0")
    pack_world.skill(NAMES[1], SKILL + "\nBeware (`case:three`).\n" * cited)
    texts = made(pack_world, "2.13.0")
    assert any("## three | " in text for text in texts.values()) == cited


def test_a_release_without_evidence_is_refused(pack_world: PackWorld) -> None:
    """In one sentence, with those that have some."""
    with pytest.raises(
        CasebookError, match=r"torch 2\.99\.0: nothing is decided on it, but on 2\.13"
    ):
        made(pack_world, "2.99.0")
