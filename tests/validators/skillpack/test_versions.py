"""No content changes under an unchanged version."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validators.skillpack.conftest import SKILL, PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.errors import CasebookError
from validators.skillpack.build import made_files
from validators.skillpack.lock import FILE
from validators.skillpack.versions import Level, build, bump, check_versions, next_version

NAME = NAMES[1]


def problems(world: PackWorld) -> list[str]:
    """The defects of versions."""
    repository, pack = world.read()
    found = check_versions(repository, pack, made_files(repository, pack))
    return [f"{it.path.parent.name}: {it.message}" for it in found]


def changelog(world: PackWorld, name: str = NAME) -> str:
    """The changelog of a skill, without its head."""
    text = (world.root / "skills" / name / "CHANGELOG.md").read_text()
    return text.split("\n\n", 1)[1]


@pytest.fixture
def built(pack_world: PackWorld) -> PackWorld:
    """The small pack at its first versions."""
    build(*pack_world.read())
    return pack_world


def test_the_first_build_locks_the_versions(built: PackWorld) -> None:
    """As SKILL.md has them; a second build changes nothing."""
    assert problems(built) == []
    assert changelog(built) == "## 1.0.0\n\n- First version.\n"
    before = (built.root / "playbooks" / FILE).read_text()
    assert build(*built.read()) == []
    assert (built.root / "playbooks" / FILE).read_text() == before


def test_changed_text_needs_a_bump(built: PackWorld) -> None:
    """Build does not do it, since nobody said what changed."""
    built.skill(NAME, SKILL + "More.\n")
    (told,) = problems(built)
    assert told == (
        f"{NAME}: changed since version 1.0.0; run "
        f'`python -m validators skills bump {NAME} -m "what changed"`'
    )
    assert any("people changed it" in it for it in build(*built.read()))
    assert problems(built) == [told]
    assert bump(*built.read(), NAME, "patch", "Say\nmore.") == "1.0.1"
    assert problems(built) == []
    assert changelog(built) == "## 1.0.1\n\n- Say more.\n\n## 1.0.0\n\n- First version.\n"
    assert 'version: "1.0.1"' in (built.root / "skills" / NAME / "SKILL.md").read_text()


def test_a_version_raised_by_hand_is_refused(built: PackWorld) -> None:
    """It would have no changelog."""
    built.skill(NAME, SKILL.replace("1.0.0", "2.0.0"))
    assert "has version 2.0.0, but skills_lock.json has 1.0.0" in problems(built)[0]
    built.skill(NAME, SKILL.replace("1.0.0", "2.0"))
    assert "'2.0' is not of the form 1.2.3" in problems(built)[0]
    built.skill(NAME, SKILL.replace("version", "edition"))
    assert "has no `metadata: {version:" in problems(built)[0]


def test_a_new_verdict_raises_the_minor_version(built: PackWorld) -> None:
    """Of each skill that holds the case, with its name in the changelog."""
    built.decide("two", "2.15.0", "refuted")
    assert [it.split(":")[0] for it in problems(built)] == [NAMES[0]]
    build(*built.read())
    assert problems(built) == []
    assert changelog(built, NAMES[0]).startswith(
        "## 1.1.0\n\n- Cases or their verdicts changed: `case:two`.\n"
    )
    assert changelog(built) == "## 1.0.0\n\n- First version.\n"


def test_another_wording_raises_the_patch_version(built: PackWorld) -> None:
    """No verdict changed."""
    built.case("two", fix="Use `z`.")
    build(*built.read())
    assert changelog(built, NAMES[0]).startswith("## 1.0.1\n\n- Generated files changed;")
    assert problems(built) == []


def test_the_manifests_show_the_raised_version(built: PackWorld) -> None:
    """They are made again after the bump."""
    built.skill(NAME, SKILL + "More.\n")
    bump(*built.read(), NAME, "major", "Say more.")
    assert '"version": "2.0.0"' in (built.root / "plugin.json").read_text()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("nothing", "x", "'nothing' is not a skill with a version; these are: small-look-up"),
        (NAME, "x", "nothing changed since 1.0.0"),
    ],
)
def test_a_bump_that_cannot_be(built: PackWorld, name: str, text: str, message: str) -> None:
    """One sentence says why."""
    with pytest.raises(CasebookError, match=message):
        bump(*built.read(), name, "minor", text)


def test_a_bump_says_what_changed(built: PackWorld) -> None:
    """An empty changelog line says nothing."""
    built.skill(NAME, SKILL + "More.\n")
    with pytest.raises(CasebookError, match="needs a sentence"):
        bump(*built.read(), NAME, "minor", "  ")


def test_a_skill_that_left_the_pack_leaves_the_lock(built: PackWorld) -> None:
    """Check names it, build removes it."""
    lock = built.root / "playbooks" / FILE
    lock.write_text(lock.read_text().replace(f'"{NAME}"', '"gone"'))
    assert any("'gone' is not a skill of the pack" in it for it in problems(built))
    build(*built.read())
    assert problems(built) == []


def test_a_damaged_lock_is_named(built: PackWorld) -> None:
    """With what to do about it."""
    Path(built.root / "playbooks" / FILE).write_text("{")
    with pytest.raises(CasebookError, match="is not a lock of skills"):
        problems(built)


@pytest.mark.parametrize(
    ("level", "after"), [("major", "2.0.0"), ("minor", "1.3.0"), ("patch", "1.2.10")]
)
def test_the_next_version(level: Level, after: str) -> None:
    """Lower parts begin again at 0."""
    assert next_version("1.2.9", level) == after
