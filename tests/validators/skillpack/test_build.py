"""Generated files are written as a whole, and each difference is found."""

from __future__ import annotations

from tests.validators.skillpack.conftest import PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.skillpack.build import drift, made_files, write_files

FOLDER = f"skills/{NAMES[0]}/references"


def problems(world: PackWorld) -> list[str]:
    """What differs, as `path: message` below the repository."""
    repository, pack = world.read()
    found = drift(repository, pack, made_files(repository, pack))
    return [f"{it.path.relative_to(world.root)}: {it.message}" for it in found]


def test_what_was_written_does_not_drift(pack_world: PackWorld) -> None:
    """And writing it again changes nothing."""
    assert write_files(*pack_world.read())
    assert problems(pack_world) == []
    assert write_files(*pack_world.read()) == []


def test_a_change_by_hand_a_loss_and_a_stray_are_found(pack_world: PackWorld) -> None:
    """Writing puts all of them right."""
    write_files(*pack_world.read())
    folder = pack_world.root / FOLDER
    (folder / "graph_breaks.md").write_text("mine")
    (pack_world.root / "plugin.json").unlink()
    (folder / "old.md").write_text("old")
    build = "run `python -m validators skills build`"
    assert sorted(problems(pack_world)) == [
        f"plugin.json: is missing; {build}",
        f"{FOLDER}/graph_breaks.md: is not what the catalog makes; {build}",
        f"{FOLDER}/old.md: is made by nothing; {build}, or move it",
    ]
    write_files(*pack_world.read())
    assert problems(pack_world) == []
    assert not (folder / "old.md").exists()


def test_a_new_verdict_is_drift(pack_world: PackWorld) -> None:
    """In each skill that holds the case."""
    write_files(*pack_world.read())
    pack_world.decide("one", "2.15.0", "refuted")
    assert len([it for it in problems(pack_world) if "graph_breaks.md" in it]) == 2
