"""`python -m validators skills`: what it prints, and its exit statuses."""

from __future__ import annotations

from subprocess import CompletedProcess

import pytest

from tests.commands import call
from tests.validators.skillpack.conftest import SKILL, PackWorld
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
    assert "references/index.md: is missing; run `python -m validators skills build`" in (
        before.stdout
    )
    built = run(pack_world, "build")
    assert built.returncode == 0
    assert f"{NAMES[1]}: 1.0.0" in built.stdout.splitlines()
    after = run(pack_world, "check")
    assert (after.returncode, after.stdout) == (0, "0 problems\n")


def test_check_is_part_of_the_check_of_everything(pack_world: PackWorld) -> None:
    """A file changed by hand is among its problems."""
    run(pack_world, "build")
    index = pack_world.root / "skills" / NAMES[0] / "references" / "index.md"
    index.write_text("mine")
    catalog = str(pack_world.root / "playbooks" / "catalog")
    done = call(main, "check", "--catalog", catalog, cwd=pack_world.root)
    assert "references/index.md: is not what the catalog makes" in done.stdout


@pytest.mark.parametrize(
    ("option", "version"), [("--patch", "1.0.1"), ("", "1.1.0"), ("--major", "2.0.0")]
)
def test_bump(pack_world: PackWorld, option: str, version: str) -> None:
    """By default the minor version rises."""
    run(pack_world, "build")
    pack_world.skill(NAMES[1], SKILL + "More.\n")
    options = [option] if option else []
    done = run(pack_world, "bump", NAMES[1], *options, "-m", "Say more.")
    assert (done.returncode, done.stdout) == (0, f"{NAMES[1]}: {version}\n")
    assert run(pack_world, "check").returncode == 0


def test_bad_input_is_one_sentence(pack_world: PackWorld) -> None:
    """An unknown skill, a damaged pack, no pack."""
    run(pack_world, "build")
    done = run(pack_world, "bump", "nothing", "-m", "x")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: 'nothing' is not a skill with a version; these are:")
    file = pack_world.root / "playbooks" / "skills.yaml"
    file.write_text("---\nname: 1\n")
    assert "skills.yaml:2" in run(pack_world, "build").stderr
    assert "skills.yaml:2" in run(pack_world, "check").stdout
    file.unlink()
    assert "skills.yaml: does not exist" in run(pack_world, "build").stderr
