"""Versions of skills: changed content needs a new one, and says why in a changelog."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validators.skillpack.small_pack import NAMES, read_pack, write_pack
from validators.errors import CasebookError
from validators.skillpack.build import drift, made_files, write_files
from validators.skillpack.lock import load_lock
from validators.skillpack.versions import build, bump, check_versions, next_version


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small pack at its first versions."""
    write_pack(tmp_path)
    build(*read_pack(tmp_path))
    return tmp_path


def problems(root: Path) -> list[str]:
    """What is wrong with the versions."""
    repository, pack = read_pack(root)
    return [it.message for it in check_versions(repository, pack, made_files(repository, pack))]


def test_a_built_pack_has_no_problem(root: Path) -> None:
    """Building it again changes nothing."""
    assert problems(root) == []
    assert build(*read_pack(root)) == []


def test_changed_text_needs_a_bump(root: Path) -> None:
    """Building does not forgive it; a bump writes version, changelog and lock."""
    page = root / "skills" / NAMES[0] / "SKILL.md"
    page.write_text(page.read_text() + "\nOne more sentence.\n")
    [message] = problems(root)
    assert message.startswith("changed since version 0.2.0")
    build(*read_pack(root))
    assert len(problems(root)) == 1
    assert bump(*read_pack(root), NAMES[0], "patch", "Say more.") == "0.2.1"
    assert problems(root) == []
    changelog = (page.parent / "CHANGELOG.md").read_text()
    assert changelog.index("## 0.2.1\n\n- Say more.") < changelog.index("## 0.2.0")
    assert load_lock(root / "playbooks")[NAMES[0]].version == "0.2.1"


def test_a_version_by_hand_is_refused(root: Path) -> None:
    """The lock knows what it was."""
    page = root / "skills" / NAMES[0] / "SKILL.md"
    page.write_text(page.read_text().replace("0.2.0", "0.3.0"))
    [message] = problems(root)
    assert message.startswith("has version 0.3.0, but skills_lock.json has 0.2.0")


def test_a_bump_without_a_change_is_refused(root: Path) -> None:
    """And one of a skill that does not exist."""
    with pytest.raises(CasebookError, match="nothing changed since"):
        bump(*read_pack(root), NAMES[0], "minor", "Say more.")
    with pytest.raises(CasebookError, match="is not a skill with a version"):
        bump(*read_pack(root), "absent", "minor", "Say more.")


@pytest.mark.parametrize(
    ("level", "version"), [("patch", "1.2.4"), ("minor", "1.3.0"), ("major", "2.0.0")]
)
def test_each_level_raises_its_number(level, version) -> None:
    """The numbers after it begin again."""
    assert next_version("1.2.3", level) == version


def test_drift_is_found(root: Path) -> None:
    """A file that is missing, one that was edited, and one that nothing makes."""
    repository, pack = read_pack(root)
    write_files(repository, pack)
    made = made_files(repository, pack)
    assert list(drift(repository, pack, made)) == []
    (root / "plugin.json").unlink()
    (root / "AGENTS.md").write_text("edited")
    (root / "skills" / NAMES[1] / "references").mkdir()
    (root / "skills" / NAMES[1] / "references" / "stray.md").write_text("x")
    found = {it.path.name: it.message.split(";")[0] for it in drift(repository, pack, made)}
    assert found == {
        "plugin.json": "is missing",
        "AGENTS.md": "is not what the catalog makes",
        "stray.md": "is made by nothing",
    }
