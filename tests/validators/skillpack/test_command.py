"""`python -m validators skills`: what it prints, and its exit statuses."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import validators.cli.find.skills as command
from tests.commands import call
from tests.validators.skillpack.conftest import PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.cli import main
from validators.environment import Environment, describe


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


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of a user who has no skills yet."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The release that each interpreter has, by its path."""
    releases: dict[str, str] = {}
    real = describe(sys.executable)

    def described(python: str) -> Environment:
        fingerprint = replace(real.fingerprint, torch=releases[Path(python).name])
        return replace(real, python=str(Path(python).absolute()), fingerprint=fingerprint)

    monkeypatch.setattr(command, "describe", described)
    return releases


def skills(*arguments: str, cwd: Path) -> CompletedProcess[str]:
    """The finished command of somebody who has no catalog."""
    return call(main, "skills", *arguments, cwd=cwd)


@pytest.mark.parametrize(
    ("settings", "folders"),
    [
        ((), [".agents"]),
        ((".codex",), [".agents"]),
        ((".claude", ".gemini"), [".claude", ".gemini"]),
    ],
)
def test_skills_go_where_the_clients_in_use_look(
    pack_world: PackWorld, home: Path, settings: tuple[str, ...], folders: list[str]
) -> None:
    """Where nothing says which, in the folder that most of them read."""
    for name in settings:
        (pack_world.root / name).mkdir()
    assert run(pack_world, "add").returncode == 0
    found = pack_world.root.glob(f".*/skills/{NAMES[0]}")
    assert sorted(path.parents[1].name for path in found) == folders
    assert skills("status", cwd=pack_world.root).returncode == 0
    assert skills("remove", cwd=pack_world.root).stdout.count("removed ") == 2 * len(folders)


def test_another_torch_is_said_with_the_command_that_helps(
    pack_world: PackWorld, home: Path, torch: dict[str, str]
) -> None:
    """It is that of the project; one whose interpreter is gone is not accused."""
    python = pack_world.root / "bin" / "mine"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    torch["mine"] = "2.13.0"
    added = run(pack_world, "add", "--client", "gemini", "--python", str(python))
    assert "2 skills for torch 2.13.0, " in added.stdout
    torch["mine"] = "2.15.0"
    stale = skills("status", cwd=pack_world.root)
    assert "made for torch 2.13.0, and bin/mine has 2.15.0" in stale.stdout
    again = "skills add --project --client gemini --python bin/mine\n"
    assert stale.returncode == 1 and stale.stdout.endswith(again)
    python.unlink()
    assert skills("status", cwd=pack_world.root).returncode == 0


def test_nobody_has_skills(pack_world: PackWorld, home: Path) -> None:
    """The answer says how to add them."""
    done = skills("status", cwd=pack_world.root)
    assert done.returncode == 1 and "skills add` adds them." in done.stdout
    assert "No skill was added in " in skills("remove", "--user", cwd=pack_world.root).stdout


def test_a_user_without_a_home(pack_world: PackWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, whatever wants to know."""

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    done = run(pack_world, "add", "--user")
    assert done.returncode == 2 and "Error: HOME: is not set" in done.stderr
