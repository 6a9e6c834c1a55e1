"""Skills are put where a client looks, and taken away without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from validators import __version__
from validators.errors import CasebookError
from validators.skillpack.install import Stamp, add, installed, out_of_date, remove

MADE = {
    Path("one", "SKILL.md"): b"# One\n",
    Path("one", "references", "a.md"): b"a",
    Path("two", "SKILL.md"): b"# Two\n",
}
STAMP = Stamp(version=__version__, date="2026-11-28", torch="2.13.0", python="/p", files={})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A client's folder with both skills."""
    skills = tmp_path / ".claude" / "skills"
    assert add([skills], MADE, STAMP) == ["one", "two"]
    return skills


def test_what_is_added_is_current(folder: Path) -> None:
    """Each skill has its files and a stamp."""
    found = list(installed(folder))
    assert [skill.folder.name for skill in found] == ["one", "two"]
    assert (folder / "one" / "references" / "a.md").read_bytes() == b"a"
    assert [out_of_date(skill, "2.13.0") for skill in found] == ["", ""]


@pytest.mark.parametrize(
    ("torch", "version", "said"),
    [
        (None, __version__, ""),
        ("2.15.0", __version__, "made for torch 2.13.0, and /p has 2.15.0"),
        ("", __version__, "made for torch 2.13.0, and /p has none"),
        ("2.13.0", "0.9.0", f"made by casebook 0.9.0, and this is {__version__}"),
    ],
)
def test_another_torch_or_casebook_makes_it_stale(
    tmp_path: Path, torch: str | None, version: str, said: str
) -> None:
    """The sentence has both; of an interpreter that is elsewhere nothing is known."""
    add([tmp_path], MADE, Stamp(version=version, date="d", torch="2.13.0", python="/p", files={}))
    assert [out_of_date(skill, torch) for skill in installed(tmp_path)] == [said, said]


def test_adding_again_replaces_what_was_added(folder: Path) -> None:
    """A file that is made no more goes."""
    add([folder], {Path("one", "SKILL.md"): b"new"}, STAMP)
    assert (folder / "one" / "SKILL.md").read_bytes() == b"new"
    assert not (folder / "one" / "references").exists()


@pytest.mark.parametrize("change", ["edit", "delete", "add"])
def test_a_changed_skill_is_neither_replaced_nor_removed(folder: Path, change: str) -> None:
    """Unless one insists; nothing is written or removed before."""
    file = folder / "two" / "SKILL.md"
    if change == "delete":
        file.unlink()
    else:
        (file if change == "edit" else folder / "two" / "mine.md").write_text("mine")
    with pytest.raises(
        CasebookError, match=r"was changed since it was added; move it away, or add"
    ):
        add([folder], {**MADE, Path("one", "SKILL.md"): b"new"}, STAMP)
    with pytest.raises(CasebookError, match="was changed since it was added"):
        remove([folder])
    assert (folder / "one" / "SKILL.md").read_bytes() == b"# One\n"
    remove([folder], force=True)
    assert not folder.exists()


def test_a_strangers_skill_is_left_alone(tmp_path: Path) -> None:
    """It has the name of one of ours and no stamp; the other clients get nothing either."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "SKILL.md").write_text("theirs")
    other = tmp_path / "other"
    with pytest.raises(CasebookError, match="is there already and was not added by this command"):
        add([other, tmp_path], MADE, STAMP)
    assert list(installed(tmp_path)) == []
    assert not (tmp_path / "two").exists()
    assert not other.exists()
    add([other, tmp_path], MADE, STAMP, force=True)
    assert (tmp_path / "one" / "SKILL.md").read_bytes() == b"# One\n"


def test_a_link_of_the_user_is_not_followed(tmp_path: Path) -> None:
    """Only `force` replaces it, and what it names stays; a dangling one is no free place."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "SKILL.md").write_text("theirs")
    folder = tmp_path / "skills"
    folder.mkdir()
    (folder / "one").symlink_to(theirs)
    (folder / "two").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CasebookError, match="one: is there already"):
        add([folder], MADE, STAMP)
    (folder / "one").unlink()
    with pytest.raises(CasebookError, match="two: is there already"):
        add([folder], MADE, STAMP)
    (folder / "one").symlink_to(theirs)
    add([folder], MADE, STAMP, force=True)
    assert not (folder / "one").is_symlink()
    assert (theirs / "SKILL.md").read_text() == "theirs"


def test_clients_that_share_a_folder_lose_its_skills_once(folder: Path, tmp_path: Path) -> None:
    """One client's folder may be a link to another's."""
    (tmp_path / ".codex").symlink_to(folder.parent)
    removed = remove([folder, tmp_path / ".codex" / "skills"])
    assert [path.name for path in removed] == ["one", "two"]
    assert not folder.exists()


def test_an_interrupted_command_is_run_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The skill is the old one or the new one, whole; what was half written goes."""
    new = {**MADE, Path("two", "SKILL.md"): b"new"}
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            add([folder], {Path("three", "SKILL.md"): b"3"}, STAMP)
    assert [skill.folder.name for skill in installed(folder) if not skill.changed] == ["one", "two"]
    add([folder], new, STAMP)
    assert (folder / "two" / "SKILL.md").read_bytes() == b"new"
    remove([folder])
    assert not folder.exists()


def test_removal_leaves_nothing(folder: Path) -> None:
    """Not even what running the scripts made; other skills stay."""
    (folder / "one" / "__pycache__").mkdir()
    (folder / "one" / "__pycache__" / "a.pyc").touch()
    (folder / "theirs").mkdir()
    remove([folder])
    assert [path.name for path in folder.iterdir()] == ["theirs"]
    (folder / "theirs").rmdir()
    add([folder], MADE, STAMP)
    remove([folder])
    assert not folder.parent.exists()


def test_a_damaged_stamp_is_one_sentence(folder: Path) -> None:
    """With the remedy."""
    (folder / "one" / ".casebook.json").write_text("{")
    with pytest.raises(CasebookError, match=r"cannot be read .* and add the skills again"):
        list(installed(folder))
