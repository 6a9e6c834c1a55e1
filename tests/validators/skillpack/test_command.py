"""`python -m validators skills`: what it prints, and its exit statuses."""

from __future__ import annotations

from subprocess import CompletedProcess

from tests.commands import call
from tests.validators.skillpack.conftest import PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.cli import main


def run(world: PackWorld, *arguments: str) -> CompletedProcess[str]:
    """The finished command, on the small pack."""
    place = ("--catalog", str(world.root / "playbooks" / "catalog"))
    return call(main, "skills", *arguments, *place, cwd=world.root)


def test_build_then_check(pack_world: PackWorld) -> None:
    """Check refuses what build has not written."""
    before = run(pack_world, "check")
    assert before.returncode == 2
    missing = "references/graph_breaks.md: is missing; run `python -m validators skills build`"
    assert missing in before.stdout
    built = run(pack_world, "build")
    assert built.returncode == 0
    assert f"wrote skills/{NAMES[1]}/references/graph_breaks.md" in built.stdout.splitlines()
    after = run(pack_world, "check")
    assert (after.returncode, after.stdout) == (0, "0 problems\n")


def test_check_is_part_of_the_check_of_everything(pack_world: PackWorld) -> None:
    """A file changed by hand is among its problems."""
    run(pack_world, "build")
    file = pack_world.root / "skills" / NAMES[0] / "references" / "graph_breaks.md"
    file.write_text("mine")
    catalog = str(pack_world.root / "playbooks" / "catalog")
    done = call(main, "check", "--catalog", catalog, cwd=pack_world.root)
    assert "references/graph_breaks.md: is not what the catalog makes" in done.stdout


def test_bad_input_is_one_sentence(pack_world: PackWorld) -> None:
    """A damaged pack, no pack."""
    file = pack_world.root / "playbooks" / "skills.yaml"
    file.write_text("---\nname: 1\n")
    assert "skills.yaml:2" in run(pack_world, "build").stderr
    assert "skills.yaml:2" in run(pack_world, "check").stdout
    file.unlink()
    assert "skills.yaml: does not exist" in run(pack_world, "build").stderr
