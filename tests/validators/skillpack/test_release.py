"""For one release of torch the skills hold only what holds there."""

from __future__ import annotations

import pytest

from tests.validators.skillpack.conftest import SKILL, PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.errors import CasebookError
from validators.skillpack.release import Release, texts

LISTS = """
- A loop recompiles (`case:one`).
- A hook breaks the graph (`case:two`),
  whatever it does.
- Count the graphs.

| Instead of | Case |
|---|---|
| a print | `case:two` |
| both | `case:one`, `case:two` |

1. First look up `case:two`, then search SKILL/references.
"""


def made(world: PackWorld, torch: str) -> dict[str, str]:
    """The texts of the skills, by their paths."""
    repository, pack = world.read()
    found = texts(Release(repository, torch), pack, "2026-11-28")
    return {path.as_posix(): data.decode() for path, data in found.items()}


def cases(world: PackWorld, torch: str) -> str:
    """What the references say."""
    return made(world, torch)[f"{NAMES[0]}/references/cases.md"]


def test_a_case_that_holds_is_one_line(pack_world: PackWorld) -> None:
    """Name, what the release prints, fix; a refuted case is left out."""
    pack_world.decide("one", "2.15.0", line="torch.E.OneError: a newer text")
    pack_world.decide("two", "2.15.0", "refuted")
    text = cases(pack_world, "2.15.0")
    assert "\none | OneError: a newer text | Use `y`.\n" in text
    assert "two" not in text
    assert "\none | OneError: one 'x' broke | Use `y`.\n" in cases(pack_world, "2.13.0")


def test_what_is_silent_or_unfixed_says_so(pack_world: PackWorld) -> None:
    """By its title, and before the fix."""
    pack_world.decide("one", "2.13.0", "remedy-failed", line="its own assertion fails")
    assert "\none | T | The fix fails here: Use `y`.\n" in cases(pack_world, "2.13.0")


def test_an_undecided_case_is_named(pack_world: PackWorld) -> None:
    """No program decided it, so no line says that it holds."""
    pack_world.decide("one", "2.15.0")
    assert "\nUndecided on torch 2.15.0: two.\n" in cases(pack_world, "2.15.0")


def test_list_items_and_rows_of_which_no_case_holds_are_left_out(pack_world: PackWorld) -> None:
    """Steps and items without a case stay."""
    pack_world.skill(NAMES[1], SKILL + LISTS)
    pack_world.decide("one", "2.15.0")
    pack_world.decide("two", "2.15.0", "refuted")
    text = made(pack_world, "2.15.0")[f"{NAMES[1]}/SKILL.md"]
    for kept in ("- A loop", "- Count", "| both |", "1. First", "| Instead of |"):
        assert kept in text
    for gone in ("- A hook", "whatever it does", "| a print |"):
        assert gone not in text
    assert "then search SKILL/../*/references." in text


def test_a_skill_says_what_it_was_made_for(pack_world: PackWorld) -> None:
    """Below its title; its front matter stays."""
    text = made(pack_world, "2.13.0")[f"{NAMES[0]}/SKILL.md"]
    assert text.startswith(f"---\nname: {NAMES[0]}\n")
    assert f"\n# {NAMES[0]}\n\nFor torch 2.13.0, 2026-11-28; " in text


def test_each_case_stands_once(pack_world: PackWorld) -> None:
    """In the skill that holds whole areas; a belief that a SKILL.md tells is not told again."""
    pack_world.decide("one", "2.13.0")
    texts = made(pack_world, "2.13.0")
    assert sum(text.count("\none | ") for text in texts.values()) == 1


def test_a_release_without_evidence_is_refused(pack_world: PackWorld) -> None:
    """In one sentence, with those that have some."""
    with pytest.raises(
        CasebookError, match=r"torch 2\.99\.0: nothing is decided on it, but on 2\.13"
    ):
        made(pack_world, "2.99.0")
