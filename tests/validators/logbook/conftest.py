"""A repository to write log entries in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.world import World
from validators.checks.everything import check_all
from validators.cli import cli
from validators.repository import Repository


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty repository."""
    (tmp_path / "playbooks" / "catalog").mkdir(parents=True)
    return World(tmp_path)


def run(world: World, *arguments: object) -> None:
    """Run `python -m validators` on this repository."""
    cli.main([*map(str, arguments), "--catalog", str(world.catalog)], standalone_mode=False)


def problems(world: World) -> list[str]:
    """What `check` says of the repository's log."""
    found = check_all(Repository(world.catalog, whole=True))
    return [str(it) for it in found.problems if "logs" in it.path.parts]
