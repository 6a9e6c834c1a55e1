"""A repository to write log entries in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty repository."""
    (tmp_path / "playbooks" / "catalog").mkdir(parents=True)
    return World(tmp_path)
